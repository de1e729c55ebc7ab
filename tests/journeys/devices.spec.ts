import type { Browser, Page } from '@playwright/test';
import type { SignupInput } from '@shortlist/contracts/schemas/account';
import { until } from '@shortlist/kit/testing/until';
import type { System } from '@shortlist/local/system';
import { callApi, mailSubjects, newUser, signUp } from '../../harness/client.ts';
import { logInByForm } from './log-in-page.ts';
import { expect, test } from '../../harness/system.ts';

const WINDOWS =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36';

/** Logs in on a device of its own. */
const openDevice = async (browser: Browser, user: SignupInput, userAgent?: string): Promise<Page> => {
  const context = await browser.newContext(userAgent === undefined ? {} : { userAgent });
  const page = await context.newPage();
  await logInByForm(page, user);
  await page.waitForURL((url) => url.pathname === '/');
  return page;
};

const tokenOf = (page: Page): Promise<string> =>
  page.evaluate(() => localStorage.getItem('endUserToken') ?? '');
const statusWith = async ({ publicUrl }: System, token: string): Promise<number> =>
  (await callApi(`${publicUrl}/api/sessions`, 'GET', { token })).status;

test('B3 S2 a user sees two devices and ends the other; a stolen token is refused', async ({
  system,
  browser,
}) => {
  const user = newUser();
  await signUp(system, user);
  const first = await openDevice(browser, user);
  const second = await openDevice(browser, user, WINDOWS);

  expect(await statusWith(system, await tokenOf(first)), 'the token without its cookie').toBe(401);

  await first.goto('/security');
  const devices = first.getByRole('region', { name: 'Devices' });
  await expect(devices.getByRole('listitem')).toHaveCount(2);
  await expect(devices.getByRole('listitem').first()).toContainText('This device');
  const signIns = first.getByRole('region', { name: 'Recent sign-ins' });
  await expect(signIns.getByRole('listitem').first()).toContainText('Chrome on Windows New device');
  await until('the mail', async () =>
    (await mailSubjects(system, user.email)).includes('New sign-in to your Shortlist account'),
  );

  await devices.getByRole('button', { name: 'Sign out Chrome on Windows' }).click();
  await expect(devices.getByRole('listitem')).toHaveCount(1);
  await second.goto('/security');
  await second.waitForURL((url) => url.pathname === '/login');

  // The device that stays goes on working, with its live updates and a further page.
  await first.goto('/credits');
  await expect(first.getByRole('heading', { name: 'Your Credits and Usage' })).toBeVisible();
});

test('A6 100 wrong passwords lock out other clients, and not a browser of the user', async ({
  system,
  browser,
}) => {
  const user = newUser();
  await signUp(system, user);
  const page = await openDevice(browser, user);
  // A hundred at once may find a busy machine unavailable for a moment: nothing was checked then, and the client tries again.
  const guess = async (): Promise<number> => {
    const body = { email: user.email, password: 'wrong one' };
    const { status } = await callApi(`${system.publicUrl}/login`, 'POST', { body });
    return status === 503 ? guess() : status;
  };
  const statuses = await Promise.all(Array.from({ length: 100 }, guess));
  expect(new Set(statuses)).toEqual(new Set([401, 429]));
  // Ten, and one more for each wait that is over before the hundredth: these double from a second on.
  const { length: checked } = statuses.filter((status) => status === 401);
  expect(checked).toBeGreaterThanOrEqual(10);
  expect(checked).toBeLessThan(18);

  await page.evaluate(() => localStorage.clear());
  await logInByForm(page, user);
  await page.waitForURL((url) => url.pathname === '/');
  await page.goto('/security');
  await expect(page.getByText(`${checked} wrong passwords`)).toBeVisible();
});
