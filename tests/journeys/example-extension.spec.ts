import type { Locator, Page } from '@playwright/test';
import { registerWithKey } from '../../harness/api-keys.ts';
import { newUser } from '../../harness/client.ts';
import { expect, test } from '../../harness/system.ts';
import { registerTool } from '../../harness/tools.ts';
import {
  EXTENSION_REDIRECT,
  type ExtensionBrowser,
  findBrowser,
  startExtension,
} from './extension-browser.ts';
import { submitLogIn } from './log-in-page.ts';

const NAME = 'Example extension';

/** Signs in in the window that Chrome opens for the extension, and approves. */
const signIn = async (
  { context }: ExtensionBrowser,
  popup: Page,
  user: { email: string; password: string },
): Promise<void> => {
  const opened = context.waitForEvent('page');
  await popup.getByRole('button', { name: 'Sign in' }).click();
  const page = await opened;
  await submitLogIn(page, user);
  await expect(page.getByRole('heading', { name: `Connect ${NAME}?` })).toBeVisible();
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
};

const findAddress = async (popup: Page, name: string): Promise<void> => {
  await popup.getByLabel('Name').fill(name);
  await popup.getByLabel('Company’s domain').fill('engines.example');
  await popup.getByRole('button', { name: 'Find address' }).click();
};

const balance = (popup: Page): Locator => popup.getByRole('status');

test('D8 D9 the example extension signs in with PKCE, charges a found address, and gives the credit back when it bounces', async ({
  system,
}) => {
  const executablePath = findBrowser();
  if (executablePath === null) return;
  const { user } = await registerWithKey(system);
  const clientId = await registerTool(system, { name: NAME, redirects: EXTENSION_REDIRECT });
  const browser = await startExtension(system, { executablePath, clientId });
  const popup = await browser.openPopup();
  await signIn(browser, popup, { ...newUser(), ...user });
  await expect(balance(popup)).toHaveText('500 credits are left');

  await findAddress(popup, 'Ada Lovelace');
  await expect(popup.getByText('ada.lovelace@engines.example: 1 credit held')).toBeVisible();
  await expect(balance(popup)).toHaveText('499 credits are left');
  await popup.getByRole('button', { name: 'Bounced' }).click();
  await expect(popup.getByText('ada.lovelace@engines.example: returned')).toBeVisible();
  await expect(balance(popup)).toHaveText('500 credits are left');

  const page = await browser.context.newPage();
  await page.goto('/credits');
  await expect(
    page.getByRole('row', { name: /ada\.lovelace@engines\.example.*Example extension/ }),
  ).toHaveCount(2);
  await page.getByRole('link', { name: 'Connections' }).click();
  await page.getByRole('button', { name: `Disconnect ${NAME}` }).click();
  await expect(page.getByText('No tools yet')).toBeVisible();
  await popup.reload();
  await expect(popup.getByRole('alert')).toHaveText('The connection has ended. Sign in again.');
  await expect(popup.getByRole('button', { name: 'Sign in' })).toBeVisible();
  await browser.close();
});
