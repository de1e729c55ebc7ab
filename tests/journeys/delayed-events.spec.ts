import { test as base } from '@playwright/test';
import { startSystem, type System } from '@shortlist/local/system';
import { callApi, logInAdmin, payAtProvider, readUser, register } from '../../harness/client.ts';
import { expect } from '../../harness/system.ts';

/** Without consumers, as if every event were still on its way. */
const WITHOUT_CONSUMERS = { ROLES: 'http,relay' };
const test = base.extend<object, { system: System }>({
  system: [
    async ({}, use) => {
      const system = await startSystem({
        env: { profile: WITHOUT_CONSUMERS, billing: WITHOUT_CONSUMERS, credits: WITHOUT_CONSUMERS },
      });
      await use(system);
      await system.stop();
    },
    { scope: 'worker', timeout: 180_000 },
  ],
});

test('without any consumed event, users and admins see their own changes', async ({ system }) => {
  const user = await register(system);
  const admin = await logInAdmin(system);
  const directory = async () => {
    const { body } = await callApi<{ data: { id: string; plan: string }[] }>(
      `${system.publicUrl}/users?search=${user.email}`,
      'GET',
      {
        token: admin,
      },
    );
    return body.data;
  };

  expect((await readUser(system, user)).firstName).toBe('Amara');
  expect(await directory()).toMatchObject([{ id: user.id, plan: 'free' }]);

  const sessionId = await payAtProvider(system, user);
  await callApi(`${system.publicUrl}/user-payment`, 'PUT', { token: user.token, body: { xsl: sessionId } });
  expect(await readUser(system, user)).toMatchObject({ plan: 'premium', composed: 0 });
  const credits = await callApi(`${system.publicUrl}/api/credits`, 'GET', { token: user.token });
  expect(credits.body).toMatchObject({ plan: 'premium', available: 500 });
  expect(await directory()).toMatchObject([{ plan: 'premium' }]);

  await callApi(`${system.publicUrl}/admin/unsubscribe/${user.id}`, 'PUT', { token: admin });
  expect((await readUser(system, user)).plan).toBe('free');
  expect(await directory()).toMatchObject([{ plan: 'free' }]);

  await callApi(`${system.publicUrl}/users/${user.id}`, 'DELETE', { token: admin });
  expect(await directory()).toEqual([]);
  expect(
    (await callApi(`${system.publicUrl}/authentication_check`, 'GET', { token: user.token })).status,
  ).toBe(401);
});

test('an admin can grant premium to a user whom billing does not know yet', async ({ system }) => {
  const user = await register(system);
  const admin = await logInAdmin(system);
  const granted = await callApi<{ data: { plan: string } }>(
    `${system.publicUrl}/admin/user-payment/${user.id}`,
    'PUT',
    { token: admin },
  );
  expect(granted.body.data.plan).toBe('premium');
});
