import type { Locator, Page, Worker } from '@playwright/test';
import type { System } from '@shortlist/local/system';
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
const ADA = 'ada.lovelace@engines.example';

/** What the tests use of Chrome's interface, in the service worker. */
type Chrome = {
  alarms: {
    create: (name: string, at: { when: number }) => Promise<void>;
    clearAll: () => Promise<boolean>;
    getAll: () => Promise<{ name: string }[]>;
  };
  storage: {
    local: {
      get: (name: null) => Promise<Record<string, Record<string, unknown>>>;
      set: (values: object) => Promise<void>;
    };
  };
};
declare const chrome: Chrome;

type Session = { popup: Page; user: { email: string; password: string } };

/** The window that Chrome opens for the extension. */
const openWindow = async ({ context }: ExtensionBrowser, popup: Page): Promise<Page> => {
  const opened = context.waitForEvent('page');
  await popup.getByRole('button', { name: 'Sign in' }).click();
  const page = await opened;
  await page
    .getByLabel('Email')
    .or(page.getByRole('heading', { name: NAME }))
    .first()
    .waitFor();
  return page;
};

const signIn = async (browser: ExtensionBrowser, { popup, user }: Session): Promise<void> => {
  const page = await openWindow(browser, popup);
  await submitLogIn(page, user);
  await expect(page.getByRole('heading', { name: `Connect ${NAME}?` })).toBeVisible();
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(popup.getByRole('button', { name: 'Sign out' })).toBeVisible();
};

const createUser = async (system: System): Promise<Session['user']> => ({
  ...newUser(),
  ...(await registerWithKey(system)).user,
});

/** Null on a machine without the browser. */
const open = async (system: System) => {
  const executablePath = findBrowser();
  if (executablePath === null) return null;
  const user = await createUser(system);
  const clientId = await registerTool(system, { name: NAME, redirects: EXTENSION_REDIRECT });
  const browser = await startExtension(system, { executablePath, clientId });
  return { browser, user, popup: await browser.openPopup() };
};

const findAddress = async (popup: Page): Promise<void> => {
  await popup.getByLabel('Name').fill(' Ada  Lovelace');
  await popup.getByLabel('Company’s domain').fill('engines.example');
  await popup.getByRole('button', { name: 'Find address' }).click();
};

const balance = (popup: Page): Locator => popup.getByRole('status');
const line = (popup: Page): Locator => popup.getByRole('listitem');

/** A user who is signed in, and has found an address. */
const openWithHeldCredit = async (system: System) => {
  const opened = await open(system);
  if (opened === null) return null;
  const { browser, popup } = opened;
  await signIn(browser, opened);
  await findAddress(popup);
  await expect(line(popup)).toContainText('1 credit held');
  return { browser, popup };
};

/** Changes what the extension has stored of its addresses. */
const changeFound = (background: Worker, change: object): Promise<void> =>
  background.evaluate(async (fields) => {
    for (const [name, found] of Object.entries(await chrome.storage.local.get(null)))
      if (name.includes(':found:')) await chrome.storage.local.set({ [name]: { ...found, ...fields } });
  }, change);

test('D8 D9 the example extension signs in with PKCE, charges a found address, and gives the credit back when it bounces', async ({
  system,
}) => {
  const opened = await open(system);
  if (opened === null) return;
  const { browser, popup, user } = opened;
  await signIn(browser, { popup, user });
  await expect(balance(popup)).toHaveText('Credits left: 500');
  await findAddress(popup);
  await expect(line(popup)).toContainText(`${ADA}: 1 credit held`);
  await expect(balance(popup)).toHaveText('Credits left: 499');
  await popup.getByRole('button', { name: 'Bounced' }).click();
  await expect(line(popup)).toHaveText(`${ADA}: returned`);
  await expect(balance(popup)).toHaveText('Credits left: 500');

  const page = await browser.context.newPage();
  await page.goto('/credits');
  const rows = page.getByRole('row', { name: /ada\.lovelace@engines\.example.*Example extension/ });
  await expect(rows, 'the charge and its return are one line').toHaveCount(1);
  await expect(rows).toContainText('Returned');
  await page.getByRole('link', { name: 'Connections' }).click();
  await page.getByRole('button', { name: `Disconnect ${NAME}` }).click();
  await expect(page.getByText('No apps yet')).toBeVisible();
  await popup.reload();
  await expect(popup.getByRole('alert')).toHaveText('You were signed out. Sign in again.');

  await browser.context.clearCookies();
  await signIn(browser, { popup, user: await createUser(system) });
  await expect(balance(popup)).toHaveText('Credits left: 500');
  await expect(line(popup), 'another user sees none of the addresses').toHaveCount(0);
  await browser.close();
});

test('the example extension charges an address that has not bounced in time for good', async ({ system }) => {
  const opened = await openWithHeldCredit(system);
  if (opened === null) return;
  const { browser, popup } = opened;
  expect((await browser.background.evaluate(() => chrome.alarms.getAll())).map(({ name }) => name)).toEqual([
    ADA,
  ]);
  await browser.background.evaluate((name) => chrome.alarms.create(name, { when: Date.now() }), ADA);
  await expect(async () => {
    await popup.reload();
    await expect(line(popup)).toHaveText(`${ADA}: charged`, { timeout: 1_000 });
  }).toPass();

  // A bounce whose commit was not noted yet learns of it from the server.
  await changeFound(browser.background, { state: 'held' });
  await popup.reload();
  await popup.getByRole('button', { name: 'Bounced' }).click();
  await expect(line(popup)).toHaveText(`${ADA}: charged`);
  await findAddress(popup);
  await expect(line(popup)).toHaveText(`${ADA}: charged`);
  await expect(balance(popup)).toHaveText('Credits left: 499');

  await system.process('bff').stop();
  await popup.reload();
  await expect(balance(popup)).toHaveText(/^Credits left: 499, as of /);
  await system.process('bff').restart();
  await browser.close();
});

test('the example extension charges after a restart that has lost its alarms', async ({ system }) => {
  const opened = await openWithHeldCredit(system);
  if (opened === null) return;
  const { browser } = opened;
  await changeFound(browser.background, { expiresAt: new Date().toISOString() });
  await browser.background.evaluate(() => chrome.alarms.clearAll());

  const again = await browser.restart();
  const popupAgain = await again.openPopup();
  await expect(async () => {
    await popupAgain.reload();
    await expect(line(popupAgain)).toHaveText(`${ADA}: charged`, { timeout: 1_000 });
  }).toPass();
  await again.close();
});

test('the example extension holds one credit although a reply was lost, and keeps it over a restart', async ({
  system,
}) => {
  const opened = await open(system);
  if (opened === null) return;
  const { browser, popup, user } = opened;
  await signIn(browser, { popup, user });
  await browser.background.evaluate(() => {
    const send = globalThis.fetch;
    globalThis.fetch = async (address, init) => {
      const reply = await send(address, init);
      if (reply.url.endsWith('/reservations')) throw new TypeError('the reply is lost');
      return reply;
    };
  });
  await findAddress(popup);
  await expect(line(popup)).toHaveText(`${ADA}: not sent, try again`);

  const again = await browser.restart();
  const popupAgain = await again.openPopup();
  await expect(balance(popupAgain)).toHaveText('Credits left: 499');
  await findAddress(popupAgain);
  await expect(line(popupAgain)).toContainText('1 credit held');
  await expect(balance(popupAgain)).toHaveText('Credits left: 499');

  await popupAgain.getByRole('button', { name: 'Sign out' }).click();
  await expect(popupAgain.getByRole('button', { name: 'Sign in' })).toBeVisible();
  expect(await again.background.evaluate(() => chrome.storage.local.get(null))).toEqual({});
  const page = await again.context.newPage();
  await page.goto('/connections');
  await expect(page.getByText('No apps yet')).toBeVisible();
  await again.close();
});

test('the example extension says so when its user has not approved', async ({ system }) => {
  const opened = await open(system);
  if (opened === null) return;
  const { browser, popup, user } = opened;
  await (await openWindow(browser, popup)).close();
  await expect(popup.getByRole('alert')).toHaveText('The user did not approve access.');

  const page = await openWindow(browser, popup);
  await submitLogIn(page, user);
  await page.getByRole('button', { name: 'Do not connect' }).click();
  await expect(popup.getByRole('alert')).toHaveText('The user did not approve the connection.');
  await expect(popup.getByRole('button', { name: 'Sign in' })).toBeEnabled();
  await browser.close();
});
