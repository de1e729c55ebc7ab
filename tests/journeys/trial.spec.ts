import { newUser, signUp } from '../../harness/client.ts';
import { expect, test } from '../../harness/system.ts';
import { payByCard } from './checkout-page.ts';
import { logInByForm } from './log-in-page.ts';

test.use({ billingSettings: { TRIAL_DAYS: '14' } });

test('a user begins a trial, and a second account with the same card has none and pays', async ({
  page,
  system,
  browser,
}) => {
  const first = newUser({ firstName: 'Ingrid', lastName: 'Solberg' });
  const second = newUser({ firstName: 'Sunniva', lastName: 'Solberg' });
  for (const account of [first, second]) expect((await signUp(system, account)).status).toBe(201);

  await test.step('begins the trial, for which nothing is charged', async () => {
    await logInByForm(page, first);
    await page.getByRole('link', { name: 'Subscription', exact: true }).click();
    await expect(page.getByText('14 days free, then $59 a month')).toBeVisible();
    await page.getByRole('button', { name: 'Get Started' }).click();
    await expect(page.getByText('14 days free')).toBeVisible();
    await payByCard(page, 'Ingrid Solberg');
    await expect(page.getByText('Your free trial has started.', { exact: false })).toBeVisible();
    await page.getByRole('link', { name: 'Go To Home' }).click();
    await page.getByRole('link', { name: 'Manage Subscription' }).click();
    await expect(page.getByText(/^Your free trial lasts until/)).toBeVisible();
    await expect(page.getByRole('region', { name: 'Next charge' })).toContainText(
      'when your free trial ends',
    );
  });

  await test.step('cancels it without a charge, and resumes it', async () => {
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Cancel subscription' }).click();
    await expect(dialog).toContainText('Nothing is charged.');
    await dialog.getByRole('button', { name: 'Cancel subscription' }).click();
    await expect(page.getByText(/nothing will be charged/)).toBeVisible();
    await page.getByRole('button', { name: 'Resume subscription' }).click();
    await dialog.getByRole('button', { name: 'Resume subscription' }).click();
    await expect(page.getByText(/^Your free trial lasts until/)).toBeVisible();
  });

  const other = await (await browser.newContext()).newPage();
  await test.step('has no second trial with another account and the same card', async () => {
    await other.goto(system.publicUrl);
    await logInByForm(other, second);
    await other.getByRole('link', { name: 'Subscription', exact: true }).click();
    await expect(other.getByText('14 days free, then $59 a month')).toBeVisible();
    await other.getByRole('button', { name: 'Get Started' }).click();
    await payByCard(other, 'Sunniva Solberg');
    await expect(other.getByText('Your free trial did not start', { exact: true })).toBeVisible();
    await expect(other.getByText(/You have not been charged/)).toBeVisible();
  });

  await test.step('pays instead', async () => {
    await other.getByRole('link', { name: 'Go to Subscription Status' }).click();
    await expect(other.getByText(/^Your free trial did not start, because/)).toBeVisible();
    await expect(other.getByText(/days free/)).toBeHidden();
    await other.getByRole('button', { name: 'Get Started' }).click();
    await payByCard(other, 'Sunniva Solberg');
    await other.getByRole('link', { name: 'Go To Home' }).click();
    await other.getByRole('link', { name: 'Manage Subscription' }).click();
    await expect(other.getByText('Your monthly subscription is currently paid for and active')).toBeVisible();
    await expect(other.getByRole('region', { name: 'Invoices' })).toContainText('$59.00');
  });
});
