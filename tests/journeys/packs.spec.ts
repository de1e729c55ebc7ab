import type { PacksView } from '@shortlist/contracts/api/billing';
import type { System } from '@shortlist/local/system';
import {
  buyPackAtProvider,
  callApi,
  logIn,
  logInAdmin,
  newUser,
  refundAtProvider,
  register,
  setWebhooks,
  signUp,
  type UserSession,
} from '../../harness/client.ts';
import { expect, test } from '../../harness/system.ts';
import { payByCard } from './checkout-page.ts';
import { logInByForm } from './log-in-page.ts';

test.afterEach(async ({ system }) => {
  await setWebhooks(system, { drop: false });
});

const packsOf = async (system: System, { token }: UserSession): Promise<PacksView['packs']> => {
  const path = `${system.publicUrl}/api/credits/packs`;
  return (await callApi<{ data: PacksView }>(path, 'GET', { token })).body.data.packs;
};

test('F13 a user buys a pack of credits by card; the portal has its invoice, and an admin sees it with its refund', async ({
  page,
  browser,
  system,
}) => {
  const account = newUser({ firstName: 'Ingrid', lastName: 'Solberg' });
  expect((await signUp(system, account)).status).toBe(201);

  await test.step('goes back from the checkout, and then pays', async () => {
    await logInByForm(page, account);
    await page.getByRole('link', { name: 'Credits & Usage' }).click();
    await expect(page.getByRole('heading', { name: 'Pack of 250 credits, $19.00' })).toBeVisible();
    await page.getByRole('button', { name: 'Buy pack' }).click();
    await expect(page.getByText('Paid once. It does not renew.')).toBeVisible();
    await page.getByRole('link', { name: 'Back' }).click();
    await expect(page).toHaveURL(/\/credits$/);
    await page.getByRole('button', { name: 'Buy pack' }).click();
    await payByCard(page, 'Ingrid Solberg', 'Pay');
    await expect(page.getByRole('heading', { name: '250 credits added' })).toBeVisible();
    await expect(page.getByText('Free User')).toBeVisible();
  });

  await test.step('finds the invoice in the billing portal', async () => {
    await page.getByRole('link', { name: 'Stripe Billing Portal' }).click();
    await expect(page.getByText('$19.00')).toBeVisible();
  });

  await test.step('an admin sees the pack, and then its refund', async () => {
    const user = await logIn(system, account);
    const adminPage = await (await browser.newContext({ baseURL: system.publicUrl })).newPage();
    await adminPage.goto('/admin/login');
    await adminPage.getByLabel('Email').fill(system.admin.email);
    await adminPage.getByLabel('Password', { exact: true }).fill(system.admin.password);
    await adminPage.getByRole('button', { name: 'Log In' }).click();
    await expect(adminPage.getByText('You are the Admin')).toBeVisible();
    await adminPage.goto(`/admin/edit-user?user_id=${user.id}`);
    await expect(adminPage.getByText(/: 250 credits for \$19\.00\.$/)).toBeVisible();
    await refundAtProvider(system, account.email, 500);
    await expect.poll(async () => (await packsOf(system, user))[0]?.paidCredits).toBe(184);
    await adminPage.reload();
    await expect(adminPage.getByText('Partly refunded: 184 credits are paid for.')).toBeVisible();
  });
});

test('F13 a pack is recorded by a webhook alone, and by the success page alone', async ({ system }) => {
  const user = await register(system);
  await buyPackAtProvider(system, user);
  await expect.poll(async () => (await packsOf(system, user)).length).toBe(1);
  await setWebhooks(system, { drop: true });
  const xsl = await buyPackAtProvider(system, user);
  const confirmed = await callApi(`${system.publicUrl}/api/credits/packs/payment`, 'PUT', {
    token: user.token,
    body: { xsl },
  });
  expect(confirmed.body).toMatchObject({ data: { credits: 250, paidCredits: 250, state: 'paid' } });
  expect(await packsOf(system, user)).toHaveLength(2);
});

test('F15 a pack is no plan: its money is earned, and its user stays free', async ({ system }) => {
  const admin = await logInAdmin(system);
  const earned = async (): Promise<number> => {
    const path = `${system.publicUrl}/api/admin/earnings?period=month`;
    return (await callApi<{ data: { earnings: number } }>(path, 'GET', { token: admin })).body.data.earnings;
  };
  const before = await earned();
  const user = await register(system);
  await buyPackAtProvider(system, user);
  await expect.poll(async () => (await packsOf(system, user)).length).toBe(1);
  expect(await earned()).toBeGreaterThanOrEqual(before + 1_900);
  const { body } = await callApi<{ data: { plan: string; lastPayment: object | null } }>(
    `${system.publicUrl}/api/subscription`,
    'GET',
    { token: user.token },
  );
  expect(body.data).toMatchObject({ plan: 'free', lastPayment: null });
});
