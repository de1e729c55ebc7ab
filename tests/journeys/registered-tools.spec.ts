import type { Page } from '@playwright/test';
import type { AuditEntry } from '@shortlist/contracts/api/audit';
import type { System } from '@shortlist/local/system';
import { Redis } from 'ioredis';
import {
  callApi,
  confirmEmail,
  logInAdmin,
  mailSubjects,
  register,
  type UserSession,
} from '../../harness/client.ts';
import { expect, test } from '../../harness/system.ts';
import { connectTool, postForm, registerTool, runIdentityOperator } from '../../harness/tools.ts';

const openTools = async (page: Page, { admin }: System): Promise<void> => {
  await page.goto('/admin/login');
  await page.getByLabel('Email').fill(admin.email);
  await page.getByLabel('Password', { exact: true }).fill(admin.password);
  await page.getByRole('button', { name: 'Log In' }).click();
  await page.waitForURL((url) => url.pathname === '/admin/');
  await page.getByRole('link', { name: 'Connected apps' }).click();
};

const addUser = async (system: System): Promise<UserSession> => {
  const user = await register(system);
  await confirmEmail(system, user);
  return user;
};

/** As after ten seconds. */
const forgetReplies = async ({ backing }: System): Promise<void> => {
  const redis = new Redis(backing.sessionsRedisUrl);
  await redis.del(await redis.keys('refresh-reply:*'));
  redis.disconnect();
};

/** Of a request to the API for tools. */
const statusOf = async ({ publicUrl }: System, access: string): Promise<number> => {
  const headers = { authorization: `Bearer ${access}` };
  return (await fetch(`${publicUrl}/api/v1/me`, { headers })).status;
};

const connectedNames = async ({ publicUrl }: System, { token }: UserSession): Promise<string[]> => {
  const headers = { authorization: `Bearer ${token}` };
  const { data } = (await (await fetch(`${publicUrl}/api/connections`, { headers })).json()) as {
    data: { name: string; endedAt: string | null }[];
  };
  return data.filter(({ endedAt }) => endedAt === null).map(({ name }) => name);
};

/** What the audit log says about the tool. */
const expectRecorded = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('link', { name: 'Audit log' }).click();
  for (const action of ['App registered by the operator', 'App disabled', 'App enabled'])
    await expect(
      page.getByRole('listitem').filter({ hasText: action }).filter({ hasText: name }),
    ).toHaveCount(1);
};

test('D9 an owner disables an app: the next request of each client is refused, and only a new connection works again', async ({
  page,
  system,
}) => {
  const name = `Contact finder ${Date.now()}`;
  const clientId = await registerTool(system, { name });
  const user = await addUser(system);
  const users = [user, await addUser(system)];
  const clients = [];
  for (const each of users) clients.push(await connectTool(system, each, { clientId }));
  for (const { access } of clients) expect(await statusOf(system, access)).toBe(200);

  await openTools(page, system);
  const row = page.getByRole('row', { name: new RegExp(name) });
  await expect(row).toContainText(clientId);
  await row.getByRole('button', { name: `Disable ${name}` }).click();
  await expect(page.getByRole('dialog')).toContainText('All 2 users are disconnected at once.');
  const disabled = page.waitForResponse((response) => response.url().endsWith(`/${clientId}/disable`));
  await page.getByRole('button', { name: 'Disconnect 2 users' }).click();
  expect((await disabled).status()).toBe(200);
  for (const { access } of clients) expect(await statusOf(system, access)).toBe(401);
  await expect(row).toContainText('Disabled');
  for (const each of users) expect(await connectedNames(system, each)).toEqual([]);

  await row.getByRole('button', { name: `Enable ${name}` }).click();
  await expect(row).toContainText('Enabled');
  for (const { access } of clients) expect(await statusOf(system, access)).toBe(401);
  const again = await connectTool(system, user, { clientId });
  expect(await statusOf(system, again.access)).toBe(200);
  expect(await connectedNames(system, user)).toEqual([name]);

  await expectRecorded(page, name);
});

/** Why the connections of a user have ended, as the audit log says once their rows are. */
const endsOf = async (system: System, userId: string): Promise<string[]> => {
  const query = `action=connection.end&targetId=${userId}`;
  const token = await logInAdmin(system);
  const { body } = await callApi<{ data: AuditEntry[] }>(
    `${system.publicUrl}/api/admin/audit?${query}`,
    'GET',
    { token },
  );
  return body.data.map(({ before }) => (before as { reason: string }).reason);
};

test('D9 the operator disables an app, whose tokens are refused although bff has stored them', async ({
  system,
}) => {
  const clientId = await registerTool(system);
  const user = await addUser(system);
  const { access } = await connectTool(system, user, { clientId });
  expect(await statusOf(system, access)).toBe(200);
  await runIdentityOperator(system, 'tool', 'disable', clientId);
  await expect.poll(() => statusOf(system, access)).toBe(401);
  await expect.poll(() => endsOf(system, user.id), { timeout: 15_000 }).toEqual(['disabled']);
});

test('D9 the second use of a refresh token disconnects the app, of which its user gets a mail', async ({
  system,
}) => {
  const clientId = await registerTool(system);
  const user = await addUser(system);
  const { refresh } = await connectTool(system, user, { clientId, device: 'MacBook of Marta' });
  const fields = { client_id: clientId, grant_type: 'refresh_token', refresh_token: refresh };
  const first = await postForm(system, '/oauth/token', fields);
  expect(first.status).toBe(200);
  // Within ten seconds it is the same refresh, sent again.
  expect(await postForm(system, '/oauth/token', fields)).toEqual(first);
  await forgetReplies(system);
  expect((await postForm(system, '/oauth/token', fields)).status).toBe(400);
  await expect
    .poll(() => mailSubjects(system, user.email))
    .toContain('We disconnected an app to protect your account');
  expect(await connectedNames(system, user)).toEqual([]);
});
