import type { Page } from '@playwright/test';
import type { NamedJob } from '@shortlist/contracts/api/bulk';
import { dayOf, days } from '@shortlist/contracts/durations';
import { until } from '@shortlist/kit/testing/until';
import type { System } from '@shortlist/local/system';
import { callApi, confirmEmail, logInAdmin, mailSubjects, register } from '../../harness/client.ts';
import { expect, test } from '../../harness/system.ts';
import { verifySystem } from '../../harness/verify-system.ts';

const openPanel = async (system: System, page: Page): Promise<string> => {
  const token = await logInAdmin(system);
  await page.addInitScript((value) => localStorage.setItem('token', value), token);
  return token;
};

/** No plan and no bucket of one but of a recorded grant. */
const expectRecorded = async (system: System): Promise<void> => {
  const breaches = await verifySystem(system);
  expect(breaches.filter(({ detail }) => detail.includes('grant'))).toEqual([]);
};

test('An admin grants premium for months to all users that match a filter, sees each result, and undoes it.', async ({
  page,
  system,
}) => {
  const organizationName = 'Northern Lights Staffing';
  for (const firstName of ['Astrid', 'Bjarne', 'Ciara']) {
    const user = await register(system, { firstName, lastName: 'Lund', organizationName });
    await confirmEmail(system, user);
  }
  await openPanel(system, page);
  await page.goto('/admin/user-list?search=Northern+Lights+Staffing');
  await page.getByLabel('Select all users on this page').check();
  await expect(page.getByText('3 users selected')).toBeVisible();
  await page.getByLabel('Select Ciara Lund').uncheck();
  await page.getByRole('button', { name: 'Grant Premium' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('Grant Premium to 2 users?');
  await dialog.getByLabel('Last day').fill(dayOf(new Date(Date.now() + days(250))));
  await expect(dialog).toContainText('Includes 500 credits at the start of each of 9 months.');
  await dialog.getByLabel('Reason').fill('A week without service');
  await dialog.getByRole('button', { name: 'Grant Premium' }).click();

  await expect(page.getByText('Done: 2 users')).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole('row', { name: /^Astrid Lund.*Done$/ })).toBeVisible();
  await expectRecorded(system);
  await page.getByRole('button', { name: 'Undo' }).click();
  await dialog.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Undo: take back granted Premium').first()).toBeVisible();
  await expect(page.getByText('2 done, 0 skipped, 0 failed')).toBeVisible({ timeout: 30_000 });
  await expectRecorded(system);
  await page.goto('/admin/audit');
  const requested = page.getByText('Bulk action requested').and(page.locator(':not(option)'));
  await expect(requested.first()).toBeVisible();
});

test('An admin signs out and emails users of whom one is selected, and the sessions end.', async ({
  page,
  system,
}) => {
  const user = await register(system, {
    firstName: 'Frida',
    lastName: 'Holm',
    organizationName: 'Polar Staff',
  });
  await confirmEmail(system, user);
  await openPanel(system, page);
  const select = async (action: string, reason: string) => {
    await page.goto('/admin/user-list?search=Polar+Staff');
    await page.getByLabel('Select Frida Holm').check();
    await page.getByRole('button', { name: action, exact: true }).click();
    await page.getByRole('dialog').getByLabel('Reason').fill(reason);
  };
  const confirm = async (action: string) => {
    await page.getByRole('dialog').getByRole('button', { name: action, exact: true }).click();
    await expect(page.getByText('Done: one user')).toBeVisible({ timeout: 30_000 });
  };
  await select('Send email', 'Maintenance');
  await page.getByLabel('Subject').fill('Maintenance on Sunday');
  await page.getByLabel('Text', { exact: true }).fill('We update on Sunday.');
  await confirm('Send email');
  await until('the email', async () =>
    (await mailSubjects(system, user.email)).includes('Maintenance on Sunday'),
  );
  const check = async () =>
    (await callApi(`${system.publicUrl}/api/authentication_check`, 'GET', { token: user.token })).status;
  expect(await check()).toBe(200);
  await select('Sign out', 'Shared laptops');
  await confirm('Sign out');
  await until('the end of the session', async () => (await check()) === 401);
});

test('A deletion of many users asks for their number, and deletes them.', async ({ page, system }) => {
  const users = [];
  for (const firstName of ['Dag', 'Eira'])
    users.push(await register(system, { firstName, lastName: 'Berg', organizationName: 'Fjord Temps' }));
  const token = await openPanel(system, page);
  await page.goto('/admin/user-list?search=Fjord+Temps');
  await page.getByLabel('Select all users on this page').check();
  await page
    .getByRole('group', { name: 'Actions for the selected users' })
    .getByRole('button', { name: 'Delete' })
    .click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('Test accounts');
  await dialog.getByLabel(/type the number of users/).fill('3');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(dialog.getByText('This is not the number of users.')).toBeVisible();
  await dialog.getByLabel(/type the number of users/).fill('2');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Done: 2 users')).toBeVisible({ timeout: 30_000 });
  await until('the end of the accounts', async () => {
    const { body } = await callApi<{ data: NamedJob[] }>(`${system.publicUrl}/api/admin/jobs`, 'GET', {
      token,
    });
    return body.data.some(({ kind, done }) => kind === 'delete' && done === 2);
  });
  for (const { id } of users)
    expect((await callApi(`${system.publicUrl}/api/users/${id}`, 'GET', { token })).status).toBe(404);
});
