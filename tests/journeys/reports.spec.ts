import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { registerSubscriber } from '../../harness/client.ts';
import { expect, test } from '../../harness/system.ts';
import { submitLogIn } from './log-in-page.ts';

// The figures are of all users: they have to be those of this journey alone.
test.use({ systemOf: 'reports' });

const figure = (page: Page, name: string): Locator =>
  page.locator('.figure').filter({ has: page.getByRole('button', { name, exact: true }) });

const exportedRows = async (page: Page): Promise<Record<string, string>[]> => {
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const text = await readFile(await (await downloading).path(), 'utf8');
  const [head = [], ...rows] = text
    .replace(/^\uFEFF/, '')
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(','));
  return rows.map((row) => Object.fromEntries(head.map((name, index) => [name, row[index] ?? ''])));
};

test('an admin sees what a subscription earns, who is behind it, and that it was lost', async ({
  page,
  system,
}) => {
  const user = await registerSubscriber(system, { firstName: 'Marta', lastName: 'Lindqvist' });
  await page.goto('/admin/login');
  await submitLogIn(page, system.admin);

  await test.step('opens the reports from the dashboard', async () => {
    await page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: 'Business' }).click();
    await expect(page.getByRole('heading', { name: 'Reports' })).toBeVisible();
    await expect(figure(page, 'MRR')).toContainText('$59.00');
    await expect(figure(page, 'Active subscribers')).toContainText('1');
    await expect(figure(page, 'Subscriber churn')).toContainText('No subscribers at the start');
    await page.getByRole('button', { name: 'More figures' }).click();
    await expect(figure(page, 'New MRR')).toContainText('1 subscriber');
    await expect(figure(page, 'Payments')).toContainText('$59.00');
  });

  await test.step('finds who is behind a figure, and comes back to the same reports', async () => {
    await page.getByLabel('Period').selectOption('This year');
    await page.getByRole('link', { name: '$59.00: list what is behind New MRR' }).click();
    await expect(page.getByRole('row', { name: /Marta Lindqvist/ })).toContainText('$59.00');
    await page.getByRole('link', { name: 'Marta Lindqvist' }).click();
    await expect(page).toHaveURL(new RegExp(`user_id=${user.id}`));
    await page.goBack();
    await page.goBack();
    await expect(page.getByLabel('Period')).toHaveValue('this_year');
    await expect(figure(page, 'New MRR')).toContainText('$59.00');
  });

  await test.step('exports the same figures', async () => {
    const month = (await exportedRows(page)).at(-1);
    expect(month).toMatchObject({
      Currency: 'USD',
      'MRR at the start': '0',
      'MRR at the end': '59',
      'Subscribers at the end': '1',
      new: '59',
      'new (count)': '1',
      payment: '59',
      churned: '0',
    });
  });

  await test.step('sees that it was lost once it has ended', async () => {
    await page.goto(`/admin/edit-user?user_id=${user.id}`);
    await page.getByRole('button', { name: 'Unsubscribe' }).click();
    await page.getByRole('button', { name: 'End Premium now' }).click();
    await expect(page.getByText('User has been unsubscribed and is now Free.')).toBeVisible();
    await page.goto('/admin/reports?figures=all');
    await expect(figure(page, 'MRR')).toContainText('$0.00');
    await expect(figure(page, 'Churned MRR')).toContainText('−$59.00');
    await expect(figure(page, 'Churned MRR')).toContainText('1 subscriber');
    await expect(figure(page, 'Net new MRR')).toContainText('$0.00');
  });
});
