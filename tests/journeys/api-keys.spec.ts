import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { hours } from '@shortlist/contracts/durations';
import type { System } from '@shortlist/local/system';
import { Redis } from 'ioredis';
import { type ApiResponse, callApi, confirmEmail, logIn, newUser, signUp } from '../../harness/client.ts';
import { expect, test } from '../../harness/system.ts';
import { logInByForm } from './log-in-page.ts';

/** Makes the proof of each session an old one, as if its user had logged in an hour ago. */
const ageProofs = async ({ backing }: System): Promise<void> => {
  const redis = new Redis(backing.sessionsRedisUrl);
  for (const key of await redis.keys('*'))
    if ((await redis.type(key)) === 'hash' && (await redis.hexists(key, 'authenticated')) === 1)
      await redis.hset(key, 'authenticated', Date.now() - hours(1));
  redis.disconnect();
};

/** Makes a key in the browser, after the proof that it requires, and returns what was copied. */
const createKey = async (page: Page, password: string): Promise<string> => {
  await page.getByRole('button', { name: 'Create key' }).click();
  const form = page.getByRole('dialog', { name: 'Create an API key' });
  await form.getByLabel('Name', { exact: true }).fill('Weekly report');
  await form.getByRole('checkbox', { name: /^Use credits/ }).check();
  await form.getByRole('button', { name: 'Create key' }).click();
  const proof = page.getByRole('dialog', { name: 'Confirm it is you' });
  await proof.getByLabel('Password', { exact: true }).fill(password);
  await proof.getByRole('button', { name: 'Confirm' }).click();
  const newKey = page.getByRole('dialog', { name: 'Copy your key now' });
  await newKey.getByRole('button', { name: 'Copy' }).click();
  await expect(newKey.getByRole('button', { name: 'Copied' })).toBeVisible();
  await newKey.getByRole('button', { name: 'Done' }).click();
  return page.evaluate<string>('navigator.clipboard.readText()');
};

/** What a script does with a key. */
const createScript = ({ publicUrl }: System, token: string) => {
  const post = (path: string, id: string, body: object = {}): Promise<ApiResponse> =>
    callApi(`${publicUrl}/api/v1/${path}`, 'POST', { token, body, headers: { 'idempotency-key': id } });
  return {
    readEntitlements: () => callApi(`${publicUrl}/api/v1/entitlements`, 'GET', { token }),
    charge: (amount: number, reference: string) =>
      post('charges', 'charge', { amount, reason: 'email_found', reference }),
    reserveAndRelease: async (amount: number) => {
      const { body } = await post('reservations', 'reserve', { amount, reason: 'message_composed' });
      return post(`reservations/${String(body['id'])}/release`, 'release');
    },
  };
};

/** What the page of the credits says of 17 credits that were charged, and of 2 that were returned. */
const expectUsage = async (page: Page): Promise<void> => {
  await page.getByRole('link', { name: 'Credits & Usage' }).click();
  await expect(page.getByText('You have used 85% of your free credits.')).toBeVisible();
  const usage = page.getByRole('table', { name: 'Usage by app' });
  await expect(usage.getByRole('row', { name: 'Weekly report 19 2 100%' })).toBeVisible();
  await expect(page.getByRole('row', { name: /Returned · Not needed.*Weekly report.*0/ })).toBeVisible();
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV' }).click();
  const file = await readFile(await (await downloading).path(), 'utf8');
  expect(file).toContain(',Email found,email_found,Ingrid Solberg,Weekly report,-17\r\n');
};

test('A user makes a key, a script charges with it, the usage names it, and once it is deleted it is refused.', async ({
  system,
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const user = newUser();
  await signUp(system, user);
  await confirmEmail(system, await logIn(system, user));
  await logInByForm(page, user);
  await page.waitForURL((url) => url.pathname === '/');
  await ageProofs(system);
  await page.getByRole('link', { name: 'Connections' }).click();
  const script = createScript(system, await createKey(page, user.password));
  const line = page.getByRole('listitem').filter({ hasText: 'Weekly report' });
  await expect(line).toContainText('Not used yet');

  expect((await script.readEntitlements()).body).toMatchObject({ credits: { available: 20 } });
  expect((await script.charge(17, 'Ingrid Solberg')).body).toMatchObject({ charged: 17 });
  expect((await script.reserveAndRelease(2)).body).toMatchObject({ used: 17 });
  await expectUsage(page);

  await page.goto('/connections');
  await expect(line).toContainText('Today from');
  await page.getByRole('button', { name: 'Delete Weekly report' }).click();
  await page.getByRole('button', { name: 'Delete key' }).click();
  await expect(page.getByText('No keys yet')).toBeVisible();
  expect((await script.readEntitlements()).status).toBe(401);
});
