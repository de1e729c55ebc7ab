import type { Page } from '@playwright/test';
import type { System } from '@shortlist/local/system';
import {
  callApi,
  chargeCredit,
  confirmEmail,
  logInAdmin,
  payAtProvider,
  register,
  type UserSession,
} from '../../harness/client.ts';
import { expect, test } from '../../harness/system.ts';

/** A user who confirmed the email, pays, and has used credits. */
const payingUser = async (system: System): Promise<UserSession> => {
  const user = await register(system, { firstName: 'Marta', lastName: 'Lindqvist' });
  await confirmEmail(system, user);
  const xsl = await payAtProvider(system, user);
  await callApi(`${system.publicUrl}/user-payment`, 'PUT', { token: user.token, body: { xsl } });
  for (const operationId of ['one', 'two', 'three']) await chargeCredit(system, user, { operationId });
  return user;
};

const openTab = (page: Page, name: string): Promise<void> =>
  page.getByRole('navigation', { name: 'Marta Lindqvist' }).getByRole('link', { name }).click();

const inDialog = async (page: Page, button: string, fields: Record<string, string>): Promise<void> => {
  const dialog = page.getByRole('dialog');
  for (const [label, text] of Object.entries(fields)) await dialog.getByLabel(label).fill(text);
  await dialog.getByRole('button', { name: button }).click();
  await expect(dialog).toBeHidden();
};

const stopAndResume = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Unsubscribe' }).click();
  await page.getByRole('radio', { name: /^On/ }).check();
  await page.getByRole('button', { name: /^End on/ }).click();
  await expect(page.getByText(/keeps Premium until/)).toBeVisible();
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(page.getByRole('dialog')).toContainText('is charged $59.00 on');
  await inDialog(page, 'Resume subscription', { Reason: 'Asked by phone' });
  await expect(page.getByText('The subscription of Marta Lindqvist continues.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Resume' })).toBeHidden();
};

const grantCredits = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Grant credits' }).click();
  await inDialog(page, 'Grant 50 credits', { Reason: 'The import lost a day' });
  await expect(page.getByRole('row', { name: /^Granted by an admin.*The import lost a day/ })).toBeVisible();
  const ledger = page.getByRole('region', { name: 'Ledger' });
  await expect(ledger.getByRole('row', { name: /^Extra credits from support.*\+50$/ })).toBeVisible();
};

const addNote = async (page: Page, text: string): Promise<void> => {
  await page.getByLabel('Note', { exact: true }).fill(text);
  await page.getByRole('button', { name: 'Add note' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: text })).toBeVisible();
  await expect(page.getByLabel('Note', { exact: true })).toHaveValue('');
};

const endSession = async (page: Page): Promise<void> => {
  const sessions = page.getByRole('region', { name: 'Sessions' });
  await sessions.getByRole('button', { name: /^End (?!all)/ }).click();
  await inDialog(page, 'End session', {});
  await expect(page.getByText('This user is not signed in.')).toBeVisible();
};

/** What the timeline says, whatever the order of what happens at the same time. */
const HAPPENED = [
  'Signed up',
  'Email confirmed',
  '$59.00 paid',
  /credits used/,
  /^Note by /,
  /^Email: /,
  'Renewal stopped',
  'Credits granted',
];

test('an admin reads and changes everything about one user in tabs, and nothing that was typed is lost', async ({
  page,
  system,
}) => {
  const user = await payingUser(system);
  const token = await logInAdmin(system);
  await page.addInitScript((value) => localStorage.setItem('token', value), token);
  await page.goto(`/admin/edit-user?user_id=${user.id}`);
  await expect(page.getByRole('heading', { name: 'Marta Lindqvist' })).toBeVisible();
  await page.getByLabel('City').fill('Gothenburg');

  await test.step('stops the renewal and resumes it', () => stopAndResume(page));
  await test.step('grants credits, which are in the ledger', async () => {
    await openTab(page, 'Credits');
    await grantCredits(page);
  });
  await test.step('sees the payment', async () => {
    await openTab(page, 'Payments');
    await expect(page.getByText('1 payment in USD:')).toBeVisible();
    await expect(page.getByRole('cell', { name: '$59.00' })).toBeVisible();
  });
  await test.step('writes a note', async () => {
    await openTab(page, 'Notes');
    await addNote(page, 'Wants invoices with the VAT number.');
  });
  await test.step('ends the session of the user', async () => {
    await openTab(page, 'Security');
    await endSession(page);
    const { status } = await callApi(`${system.publicUrl}/api/credits`, 'GET', { token: user.token });
    expect(status).toBe(401);
  });
  await test.step('reads all of it in the timeline', async () => {
    await openTab(page, 'Timeline');
    const timeline = page.getByRole('region', { name: 'Timeline' });
    for (const text of HAPPENED)
      await expect(async () => {
        await page.reload();
        await expect(timeline.getByText(text).first()).toBeVisible({ timeout: 5_000 });
      }).toPass();
    await timeline.getByLabel('Show').selectOption('Payments');
    await expect(timeline.getByText('Signed up')).toBeHidden();
    await page.goBack();
    await expect(timeline.getByText('Signed up')).toBeVisible();
  });
  await test.step('finds the changes by name', async () => {
    await openTab(page, 'Changes');
    const changes = page.getByRole('region', { name: 'Audit log' });
    await expect(changes.getByText('Reason: Asked by phone')).toBeVisible();
  });
  await test.step('comes back to what was typed', async () => {
    await openTab(page, 'Details');
    await expect(page.getByLabel('City')).toHaveValue('Gothenburg');
  });
});
