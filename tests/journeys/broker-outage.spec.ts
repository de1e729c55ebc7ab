import { setTimeout as sleep } from 'node:timers/promises';
import { minutes } from '@shortlist/contracts/durations';
import type { System } from '@shortlist/local/system';
import {
  callApi,
  logIn,
  logInAdmin,
  mailSubjects,
  newUser,
  payAtProvider,
  readUser,
  register,
  signUp,
  type UserSession,
} from '../../harness/client.ts';
import { expect, test } from '../../harness/system.ts';

/** A few seconds in every test run; docs/reliability.md has the result of ten minutes. */
const OUTAGE_MS = Number(process.env['OUTAGE_SECONDS'] ?? 5) * 1_000;

/** Signs up a new user each second during the outage. Returns their emails. */
const signUpDuringOutage = async (system: System): Promise<string[]> => {
  const emails: string[] = [];
  for (const end = performance.now() + OUTAGE_MS; performance.now() < end;) {
    emails.push((await register(system)).email);
    await sleep(1_000);
  }
  return emails;
};

const SERVICES = ['identity', 'profile', 'billing', 'credits'] as const;
/** Returns how many unpublished events each service has in its outbox. */
const unsentEvents = async (system: System): Promise<number[]> => {
  const texts = await Promise.all(
    SERVICES.map((name) => fetch(`${system.operatorUrls[name]}/metrics`).then((reply) => reply.text())),
  );
  return texts.map((text) => Number(/^outbox_unsent_rows.* (\d+)$/m.exec(text)?.[1] ?? Number.NaN));
};

/** Moves to another city, and pays for the plan. */
const editAndPay = async (
  system: System,
  session: UserSession,
  user: ReturnType<typeof newUser>,
): Promise<void> => {
  const { publicUrl } = system;
  const { id, token } = session;
  const form = new FormData();
  const { email: _email, password: _password, ...fields } = user;
  form.set('userData', JSON.stringify({ ...fields, city: 'Abuja' }));
  const edited = await callApi(`${publicUrl}/users/${id}`, 'PUT', { token, body: form });
  expect(edited.status).toBe(200);
  const xsl = await payAtProvider(system, session);
  const paid = await callApi(`${publicUrl}/user-payment`, 'PUT', { token, body: { xsl } });
  expect(paid.status).toBe(200);
};

test('H7 while Kafka is down users can sign up, log in, edit their profile and pay; after it is back all events arrive in order', async ({
  system,
}) => {
  test.setTimeout(minutes(4) + 2 * OUTAGE_MS);
  const admin = await logInAdmin(system);
  await system.backing.kafka.stop();

  const user = newUser();
  expect((await signUp(system, user)).status).toBe(201);
  const session = await logIn(system, user);
  await editAndPay(system, session, user);
  expect(await readUser(system, session)).toMatchObject({ plan: 'premium', city: 'Abuja', composed: 0 });

  const emails = await signUpDuringOutage(system);
  expect(emails.length).toBeGreaterThan(0);
  const [unsent = 0] = await unsentEvents(system);
  expect(unsent).toBeGreaterThan(emails.length);

  await system.backing.kafka.start();
  await expect
    .poll(() => mailSubjects(system, user.email), { timeout: 90_000 })
    .toEqual(['Welcome to Shortlist', 'Your Shortlist receipt']);
  expect(await readUser(system, session)).toMatchObject({ plan: 'premium', city: 'Abuja' });
  await expect.poll(() => unsentEvents(system), { timeout: 30_000 }).toEqual([0, 0, 0, 0]);
  for (const email of emails)
    await expect
      .poll(() => mailSubjects(system, email), { timeout: 90_000 })
      .toEqual(['Welcome to Shortlist']);
  const { body } = await callApi<{ data: { plan: string }[] }>(
    `${system.publicUrl}/users?search=${user.email}`,
    'GET',
    { token: admin },
  );
  expect(body.data).toMatchObject([{ plan: 'premium' }]);
  await register(system); // the system still works
});
