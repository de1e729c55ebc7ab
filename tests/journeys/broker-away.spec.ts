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

test('with Kafka stopped people sign up, log in, edit their profile and pay; when it is back everything arrives, in order', async ({
  system,
}) => {
  test.setTimeout(180_000);
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

  await system.backing.kafka.start();
  await expect
    .poll(() => mailSubjects(system, person.email), { timeout: 90_000 })
    .toEqual(['Welcome to Shortlist', 'Your Shortlist receipt']);
  expect(await readUser(system, session)).toMatchObject({ plan: 'premium', city: 'Abuja' });
  const metrics = async (): Promise<string[]> => {
    const texts = await Promise.all(
      ['identity', 'profile', 'billing', 'credits'].map((name) =>
        fetch(`${system.urls[name as 'billing']}/metrics`).then((r) => r.text()),
      ),
    );
    return texts.map((text) => /^outbox_unsent_rows.* (\d+)$/m.exec(text)?.[1] ?? 'none');
  };
  await expect.poll(metrics, { timeout: 30_000 }).toEqual(['0', '0', '0', '0']);
  const { body } = await ask<{ data: { plan: string }[] }>(
    `${system.publicUrl}/users?search=${person.email}`,
    'GET',
    { token: admin },
  );
  expect(body.data).toMatchObject([{ plan: 'premium' }]);
  await register(system); // and all goes on as before
});
