import { randomUUID } from 'node:crypto';
import type { PaymentRow } from '@shortlist/contracts/api/payments';
import type { System } from '@shortlist/local/system';
import {
  callApi,
  chargeCredit,
  logInAdmin,
  readUser,
  registerSubscriber,
  type UserSession,
} from '../../harness/client.ts';
import { expect, test } from '../../harness/system.ts';
import { submitLogIn } from './log-in-page.ts';

const planOf = async (system: System, user: UserSession): Promise<string> =>
  (await readUser(system, user)).plan;

type Credits = { used: number; limit: number; available: number };
const creditsOf = async ({ publicUrl }: System, { token }: UserSession): Promise<Credits> =>
  (await callApi<Credits>(`${publicUrl}/api/credits`, 'GET', { token })).body;

test('an admin finds a payment, refunds a part and then the rest; plan, credits and totals follow', async ({
  page,
  system,
}) => {
  const user = await registerSubscriber(system, { firstName: 'Marta', lastName: 'Lindqvist-Rautio' });
  await chargeCredit(system, user, { operationId: randomUUID() });
  await page.goto('/admin/login');
  await submitLogIn(page, system.admin);
  await expect(page.getByText('You are the Admin')).toBeVisible();
  const row = page.getByRole('row', { name: /Marta Lindqvist-Rautio/ });

  await test.step('finds it by the name, among paid ones', async () => {
    await page.goto('/admin/payments');
    await page.getByLabel('Search', { exact: true }).fill('lindqvist-rau');
    await page.getByLabel('Status').selectOption('Paid');
    // The search is sent a moment after the last key, before or after the status.
    await expect(page).toHaveURL(/[?&]state=paid(&|$)/);
    await expect(page).toHaveURL(/[?&]search=lindqvist-rau(&|$)/);
    await expect(row).toContainText('$59.00');
    await expect(page.getByText('1 payment in USD:')).toBeVisible();
    // The provider states its fee some time after the payment.
    await expect(page.getByRole('definition').filter({ hasText: '$59.00' }).first()).toBeVisible();
  });

  await test.step('refunds a part, which leaves the plan', async () => {
    await row.getByRole('link').click();
    await expect(page.getByRole('heading', { name: '$59.00' })).toBeVisible();
    await page.getByRole('button', { name: 'Refund' }).click();
    await page.getByRole('radio', { name: /A part/ }).check();
    await page.getByLabel('Amount in USD').fill('29.50');
    await expect(page.getByText('Up to 250 credits of this month')).toBeVisible();
    await page.getByRole('checkbox', { name: /Take back the same share/ }).check();
    await page.getByLabel('Reason').fill('Plan not used');
    await page.getByRole('button', { name: 'Refund $29.50' }).click();
    await expect(page.getByText(/\$29\.50 refunded by/)).toBeVisible();
    await expect(page.getByText('Partly refunded')).toBeVisible();
    expect(await planOf(system, user)).toBe('premium');
    expect(await creditsOf(system, user)).toMatchObject({ used: 1, limit: 250, available: 249 });
  });

  await test.step('refunds the rest, which ends it', async () => {
    await page.getByRole('button', { name: 'Refund' }).click();
    await expect(page.getByText(/Premium ends now/)).toBeVisible();
    await page.getByLabel('Reason').fill('All of it');
    await page.getByRole('button', { name: 'Refund $29.50' }).click();
    await expect(page.getByText('Refunded', { exact: true })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Refund' })).toHaveCount(0);
    expect(await planOf(system, user)).toBe('free');
    await expect.poll(async () => (await creditsOf(system, user)).limit).toBe(20);
  });

  await test.step('sees both in the totals of the filter', async () => {
    await page.goto('/admin/payments?search=lindqvist-rautio');
    await expect(row).toContainText('Refunded');
    await expect(page.getByRole('definition').filter({ hasText: '−$59.00' })).toBeVisible();
  });
});

test('F16 two admins who refund a payment at once return the money once', async ({ system }) => {
  const user = await registerSubscriber(system, { firstName: 'Marta', lastName: 'Ekström-Halonen' });
  const token = await logInAdmin(system);
  const list = `${system.publicUrl}/api/admin/payments?search=${user.email}`;
  const { body } = await callApi<{ data: PaymentRow[] }>(list, 'GET', { token });
  const path = `${system.publicUrl}/api/admin/payments/${body.data[0]?.invoiceId}/refunds`;
  const refund = () =>
    callApi<{ error?: { code: string } }>(path, 'POST', {
      token,
      headers: { 'idempotency-key': randomUUID() },
      body: { amount: 5_900, left: 5_900, reason: 'Paid twice' },
    });
  const results = await Promise.all([refund(), refund()]);
  expect(results.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect(results.find(({ status }) => status === 409)?.body.error?.code).toBe('billing.refund_too_high');
  const after = await callApi<{ data: PaymentRow[] }>(list, 'GET', { token });
  expect(after.body.data).toMatchObject([{ state: 'refunded', refunded: 5_900 }]);
  expect(await planOf(system, user)).toBe('free');
});
