import { randomUUID } from 'node:crypto';
import type { Browser, Page } from '@playwright/test';
import { until } from '@shortlist/kit/testing/until';
import type { System } from '@shortlist/local/system';
import { verifySystem } from '../../harness/verify-system.ts';
import {
  buyPackAtProvider,
  callApi,
  logIn,
  mailSubjects,
  newUser,
  refundAtProvider,
  signUp,
  type UserSession,
} from '../../harness/client.ts';
import { expect, test } from '../../harness/system.ts';
import { logInByForm } from './log-in-page.ts';

const openAdminPage = async (browser: Browser, system: System, userId: string): Promise<Page> => {
  const page = await (await browser.newContext({ baseURL: system.publicUrl })).newPage();
  await page.goto('/admin/login');
  await page.getByLabel('Email').fill(system.admin.email);
  await page.getByLabel('Password', { exact: true }).fill(system.admin.password);
  await page.getByRole('button', { name: 'Log In' }).click();
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
  await page.goto(`/admin/edit-user?user_id=${userId}&tab=credits`);
  return page;
};

const charge = ({ publicUrl }: System, { token }: UserSession, amount: number) =>
  callApi(`${publicUrl}/api/credits/spend`, 'POST', {
    token,
    body: { reason: 'email_found', amount },
    headers: { 'idempotency-key': randomUUID() },
  });

const grantCredits = async (adminPage: Page): Promise<void> => {
  await adminPage.getByRole('button', { name: 'Grant credits' }).click();
  const dialog = adminPage.getByRole('dialog', { name: 'Grant credits?' });
  await dialog.getByLabel('Credits', { exact: true }).fill('40');
  await dialog.getByLabel('Reason').fill('The import lost a day');
  await dialog.getByRole('button', { name: 'Grant 40 credits' }).click();
};

const openCredits = async (
  page: Page,
  system: System,
  person: { email: string; password: string },
): Promise<void> => {
  await page.goto(system.publicUrl);
  await logInByForm(page, person);
  await page.getByRole('link', { name: 'Credits & Usage' }).click();
  await expect(page.getByText('of 20', { exact: true })).toBeVisible();
};

/** What the history says of credits that were added and taken away, the newest first. */
const expectChanges = async (page: Page, ...changes: RegExp[]): Promise<void> => {
  const rows = page.getByRole('region', { name: 'History' }).getByRole('row');
  await expect(rows.filter({ hasText: /^(Pack|Extra credits)/ })).toHaveText(changes);
};

/** The mail about the grant has gone out, and `verify` finds nothing in the ledger and the packs. */
const expectInOrder = async (system: System, email: string): Promise<void> => {
  await until('the mail about the grant', async () =>
    (await mailSubjects(system, email)).includes('You have 40 extra credits'),
  );
  const breaches = await verifySystem(system);
  expect(breaches.filter(({ invariant }) => ['V2', 'V3', 'V6'].includes(invariant))).toEqual([]);
};

test('an admin gives a user credits, who buys a pack besides, uses what ends first, and has what is left by bucket and each change on an open page', async ({
  page,
  browser,
  system,
}) => {
  const person = newUser();
  await signUp(system, person);
  const user = await logIn(system, person);
  await openCredits(page, system, person);

  const adminPage = await openAdminPage(browser, system, user.id);
  const credits = adminPage.getByRole('region', { name: 'Credits' });
  await grantCredits(adminPage);
  await expect(credits.getByText('60 credits available')).toBeVisible();
  await expect(page.getByText('40 of 40 left.')).toBeVisible();

  await buyPackAtProvider(system, user);
  await expect(page.getByText('250 of 250 left. They do not expire.')).toBeVisible();
  await expect(page.getByText('310', { exact: true })).toBeVisible();

  // The plan's thirty days begin with this charge, and end before the last day of the grant.
  expect((await charge(system, user, 30)).body).toMatchObject({ used: 20, available: 280, charged: 30 });
  await expect(page.getByText('30 of 40 left.')).toBeVisible();
  await expect(credits.getByText('280 credits available')).toBeVisible();

  await credits.getByRole('button', { name: 'Take back' }).click();
  await adminPage.getByRole('button', { name: 'Take back 30 credits' }).click();
  await expect(credits.getByRole('row', { name: /The import lost a day – Ended 40 10 0/ })).toBeVisible();
  await refundAtProvider(system, person.email);
  await expect(page.getByRole('heading', { name: 'Free credits used up' })).toBeVisible();
  expect((await charge(system, user, 1)).status).toBe(402);
  await expectChanges(
    page,
    /^Pack refunded or disputed.*−250$/,
    /^Extra credits taken back.*−30$/,
    /^Pack bought.*\+250$/,
    /^Extra credits from support.*\+40$/,
  );

  await expectInOrder(system, person.email);
});
