import { test as base } from '@playwright/test';
import { startSystem, type System } from '@shortlist/local/system';
import { ask, logInAdmin, payAtProvider, readUser, register } from './client.ts';
import { expect } from './system.ts';

/** The delay on purpose: nobody hears anything, as if every fact were still on its way. */
const DEAF = { ROLES: 'http,relay' };
const test = base.extend<object, { system: System }>({
  system: [
    async ({}, use) => {
      const system = await startSystem({ env: { profile: DEAF, billing: DEAF, credits: DEAF } });
      await use(system);
      await system.stop();
    },
    { scope: 'worker', timeout: 180_000 },
  ],
});

test('with no fact heard by anybody, everyone still sees their own changes', async ({ system }) => {
  const person = await register(system);
  const admin = await logInAdmin(system);
  const directory = async () => {
    const { body } = await ask<{ data: { id: string; plan: string }[] }>(
      `${system.publicUrl}/users?search=${person.email}`,
      'GET',
      {
        token: admin,
      },
    );
    return body.data;
  };

  expect((await readUser(system, person)).firstName).toBe('Amara');
  expect(await directory()).toMatchObject([{ id: person.id, plan: 'free' }]);

  const sessionId = await payAtProvider(system, person);
  await ask(`${system.publicUrl}/user-payment`, 'PUT', { token: person.token, body: { xsl: sessionId } });
  expect(await readUser(system, person)).toMatchObject({ plan: 'premium', composed: 0 });
  const credits = await ask(`${system.publicUrl}/api/credits`, 'GET', { token: person.token });
  expect(credits.body).toMatchObject({ plan: 'premium', available: 500 });
  expect(await directory()).toMatchObject([{ plan: 'premium' }]);

  await ask(`${system.publicUrl}/admin/unsubscribe/${person.id}`, 'PUT', { token: admin });
  expect((await readUser(system, person)).plan).toBe('free');
  expect(await directory()).toMatchObject([{ plan: 'free' }]);

  await ask(`${system.publicUrl}/users/${person.id}`, 'DELETE', { token: admin });
  expect(await directory()).toEqual([]);
  expect((await ask(`${system.publicUrl}/authentication_check`, 'GET', { token: person.token })).status).toBe(
    401,
  );
});

test('somebody whom billing has not heard of yet can be made premium', async ({ system }) => {
  const person = await register(system);
  const admin = await logInAdmin(system);
  const granted = await ask<{ data: { plan: string } }>(
    `${system.publicUrl}/admin/user-payment/${person.id}`,
    'PUT',
    { token: admin },
  );
  expect(granted.body.data.plan).toBe('premium');
});
