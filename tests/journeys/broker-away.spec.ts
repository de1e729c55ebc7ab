import { setTimeout as sleep } from 'node:timers/promises';
import type { System } from '@shortlist/local/system';
import {
  ask,
  logIn,
  logInAdmin,
  mailSubjects,
  newPerson,
  payAtProvider,
  readUser,
  register,
  signUp,
} from './client.ts';
import { expect, test } from './system.ts';

/** A few seconds in every test run, ten minutes by hand (docs/reliability.md has the result). */
const AWAY_MS = Number(process.env['AWAY_SECONDS'] ?? 5) * 1_000;

/** People go on signing up, a new one each second; answers who they are. */
const liveWithoutBroker = async (system: System): Promise<string[]> => {
  const emails: string[] = [];
  for (const end = performance.now() + AWAY_MS; performance.now() < end;) {
    emails.push((await register(system)).email);
    await sleep(1_000);
  }
  return emails;
};

const SERVICES = ['identity', 'profile', 'billing', 'credits'] as const;
/** How many facts each service still has to tell. */
const unsentEvents = async (system: System): Promise<number[]> => {
  const texts = await Promise.all(
    SERVICES.map((name) => fetch(`${system.urls[name]}/metrics`).then((reply) => reply.text())),
  );
  return texts.map((text) => Number(/^outbox_unsent_rows.* (\d+)$/m.exec(text)?.[1] ?? Number.NaN));
};

test('H7 with Kafka stopped people sign up, log in, edit their profile and pay; when it is back everything arrives, in order', async ({
  system,
}) => {
  test.setTimeout(240_000 + 2 * AWAY_MS);
  const admin = await logInAdmin(system);
  await system.backing.kafka.stop();

  const person = newPerson();
  expect((await signUp(system, person)).status).toBe(201);
  const session = await logIn(system, person);
  const form = new FormData();
  const { email: _email, password: _password, ...fields } = person;
  form.set('userData', JSON.stringify({ ...fields, city: 'Abuja' }));
  const edited = await ask(`${system.publicUrl}/users/${session.id}`, 'PUT', {
    token: session.token,
    body: form,
  });
  expect(edited.status).toBe(200);
  const sessionId = await payAtProvider(system, session);
  const paid = await ask(`${system.publicUrl}/user-payment`, 'PUT', {
    token: session.token,
    body: { xsl: sessionId },
  });
  expect(paid.status).toBe(200);
  expect(await readUser(system, session)).toMatchObject({ plan: 'premium', city: 'Abuja', composed: 0 });

  const others = await liveWithoutBroker(system);
  expect(others.length).toBeGreaterThan(0);
  const [unsent = 0] = await unsentEvents(system);
  expect(unsent).toBeGreaterThan(others.length);

  await system.backing.kafka.start();
  await expect
    .poll(() => mailSubjects(system, person.email), { timeout: 90_000 })
    .toEqual(['Welcome to Shortlist', 'Your Shortlist receipt']);
  expect(await readUser(system, session)).toMatchObject({ plan: 'premium', city: 'Abuja' });
  await expect.poll(() => unsentEvents(system), { timeout: 30_000 }).toEqual([0, 0, 0, 0]);
  for (const email of others)
    await expect
      .poll(() => mailSubjects(system, email), { timeout: 90_000 })
      .toEqual(['Welcome to Shortlist']);
  const { body } = await ask<{ data: { plan: string }[] }>(
    `${system.publicUrl}/users?search=${person.email}`,
    'GET',
    { token: admin },
  );
  expect(body.data).toMatchObject([{ plan: 'premium' }]);
  await register(system); // and all goes on as before
});
