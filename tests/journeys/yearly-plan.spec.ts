import { newUser, signUp } from '../../harness/client.ts';
import { expect, test } from '../../harness/system.ts';
import { payByCard } from './checkout-page.ts';
import { logInByForm } from './log-in-page.ts';

test('a user pays for a year, changes to months after it, and takes that back', async ({ page, system }) => {
  const account = newUser({ firstName: 'Ingrid', lastName: 'Solberg' });
  expect((await signUp(system, account)).status).toBe(201);
  await logInByForm(page, account);
  const dialog = page.getByRole('dialog');

  await test.step('chooses the year, which says what it saves', async () => {
    await page.getByRole('link', { name: 'Subscription', exact: true }).click();
    await expect(page.getByText('A year costs $118 less than twelve months.')).toBeVisible();
    await page.getByText('Yearly', { exact: true }).click();
    await expect(page.getByRole('region', { name: 'The yearly plan' })).toContainText('$590/Year');
    await page.getByRole('button', { name: 'Get Started' }).click();
    await expect(page.getByText('per year')).toBeVisible();
    await payByCard(page, 'Ingrid Solberg');
    await page.getByRole('link', { name: 'Go To Home' }).click();
    await expect(page.getByText('$590/Year')).toBeVisible();
    await page.getByRole('link', { name: 'Manage Subscription' }).click();
    await expect(page.getByText('Your yearly subscription is currently paid for and active')).toBeVisible();
    await expect(page.getByRole('region', { name: 'Next charge' })).toContainText('for one year');
  });

  await test.step('has the credits of a month', async () => {
    await page.getByRole('link', { name: 'Credits & Usage' }).first().click();
    await expect(page.getByText('500').first()).toBeVisible();
    await page.goBack();
  });

  await test.step('pays monthly after the year, and takes it back', async () => {
    await page.getByRole('button', { name: 'Pay monthly' }).click();
    await expect(dialog).toContainText('you are charged $59.00 every month');
    await dialog.getByRole('button', { name: /^Pay monthly from/ }).click();
    await expect(page.getByText(/^\$59\/Month on /)).toBeVisible();
    await expect(page.getByRole('region', { name: 'Next charge' })).toContainText('$59.00');
    await page.getByRole('button', { name: 'Keep paying yearly' }).click();
    await dialog.getByRole('button', { name: 'Keep paying yearly' }).click();
    await expect(page.getByRole('region', { name: 'Next charge' })).toContainText('$590.00');
  });
});

test('a user with a code of 100 % pays nothing, and changes to a year for nothing', async ({
  page,
  system,
}) => {
  const account = newUser({ firstName: 'Amara', lastName: 'Okafor' });
  expect((await signUp(system, account)).status).toBe(201);
  const create = async (path: string, fields: Record<string, string>): Promise<string> => {
    const response = await fetch(`${system.sandboxUrl}/v1/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${system.secrets.STRIPE_SECRET_KEY}` },
      body: new URLSearchParams(fields),
    });
    return ((await response.json()) as { id: string }).id;
  };
  const coupon = await create('coupons', { percent_off: '100', duration: 'forever', name: 'Friends' });
  await create('promotion_codes', {
    'promotion[type]': 'coupon',
    'promotion[coupon]': coupon,
    code: 'FRIENDS',
  });
  await logInByForm(page, account);
  await page.getByRole('link', { name: 'Subscription', exact: true }).click();
  await page.getByRole('button', { name: 'Get Started' }).click();
  await page.getByLabel('Promotion code').fill('FRIENDS');
  await payByCard(page, 'Amara Okafor');
  await page.getByRole('link', { name: 'Go To Home' }).click();
  await page.getByRole('link', { name: 'Manage Subscription' }).click();
  await expect(page.getByText('Friends: 100% off each charge')).toBeVisible();
  await page.getByRole('button', { name: 'Pay yearly' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Pay $0.00' }).click();
  await expect(page.getByText('Your yearly subscription is currently paid for and active')).toBeVisible();
});

test('a user changes from months to a year for the amount that the page has shown', async ({
  page,
  system,
}) => {
  const account = newUser({ firstName: 'Marta', lastName: 'Lindqvist' });
  expect((await signUp(system, account)).status).toBe(201);
  await logInByForm(page, account);
  const dialog = page.getByRole('dialog');
  await page.getByRole('link', { name: 'Subscription', exact: true }).click();
  await page.getByRole('button', { name: 'Get Started' }).click();
  await payByCard(page, 'Marta Lindqvist');
  await page.getByRole('link', { name: 'Go To Home' }).click();
  await page.getByRole('link', { name: 'Manage Subscription' }).click();
  await page.getByRole('button', { name: 'Pay yearly' }).click();
  await expect(dialog).toContainText('$590.00 for one year, minus');
  const confirm = dialog.getByRole('button', { name: /^Pay \$/ });
  const amount = (await confirm.innerText()).replace('Pay ', '');
  await confirm.click();
  await expect(page.getByText('Your yearly subscription is currently paid for and active')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Invoices' })).toContainText(amount);
});
