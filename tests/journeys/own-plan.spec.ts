import { newUser, signUp } from '../../harness/client.ts';
import { expect, test } from '../../harness/system.ts';
import { payByCard } from './checkout-page.ts';
import { logInByForm } from './log-in-page.ts';

test('a user cancels and resumes a subscription, on the page of the plan and at Stripe, and changes the card', async ({
  page,
  system,
}) => {
  const account = newUser({ firstName: 'Ingrid', lastName: 'Solberg' });
  expect((await signUp(system, account)).status).toBe(201);
  await logInByForm(page, account);
  const dialog = page.getByRole('dialog');
  const method = page.getByRole('region', { name: 'Payment method' });

  await test.step('subscribes, and sees the next charge, the card and the invoice', async () => {
    await page.getByRole('link', { name: 'Subscription', exact: true }).click();
    await page.getByRole('button', { name: 'Get Started' }).click();
    await payByCard(page, 'Ingrid Solberg');
    await page.getByRole('link', { name: 'Go To Home' }).click();
    await page.getByRole('link', { name: 'Manage Subscription' }).click();
    await expect(page.getByText('currently paid for and active')).toBeVisible();
    await expect(page.getByRole('region', { name: 'Next charge' })).toContainText('$59.00');
    await expect(method).toContainText('Visa card ending in 4242');
    await expect(page.getByRole('region', { name: 'Invoices' })).toContainText('1 invoice paid');
  });

  await test.step('cancels, and resumes', async () => {
    await page.getByRole('button', { name: 'Cancel subscription' }).click();
    await dialog.getByRole('button', { name: 'Cancel subscription' }).click();
    await expect(page.getByText(/^Your subscription is canceled\. Premium ends on [^.]+$/)).toBeVisible();
    await expect(page.getByText('Premium User')).toBeVisible();
    await page.getByRole('button', { name: 'Resume subscription' }).click();
    await dialog.getByRole('button', { name: 'Resume subscription' }).click();
    await expect(page.getByText('currently paid for and active')).toBeVisible();
  });

  await test.step('cancels at Stripe, and reads it on return', async () => {
    await page.getByRole('link', { name: 'Manage Stripe Account' }).click();
    await page.getByRole('link', { name: 'Cancel subscription' }).click();
    await page.getByRole('button', { name: 'Cancel subscription' }).click();
    await page.getByRole('link', { name: 'Return' }).click();
    await expect(page.getByText(/^You canceled your subscription\. You keep Premium until/)).toBeVisible();
    await expect(page.getByText(/^Your subscription is canceled\. Premium ends on/)).toBeVisible();
    await expect(page).toHaveURL(/\/payments$/);
    await page.reload();
    await expect(page.getByText(/^You canceled your subscription/)).toBeHidden();
  });

  await test.step('enters another card at Stripe, and reads it on return', async () => {
    await page.getByRole('link', { name: 'Change card' }).click();
    await page.getByLabel('Card number').fill('5555 5555 5555 4444');
    await page.getByLabel('Expiry').fill('12/34');
    await page.getByLabel('CVC').fill('123');
    await page.getByLabel('Name on card').fill('Ingrid Solberg');
    await page.getByRole('button', { name: 'Save card' }).click();
    await expect(page.getByText(/another card: Mastercard card ending in 4444/)).toBeVisible();
    await expect(method).toContainText('Mastercard card ending in 4444');
  });

  await test.step('opens the file of the invoice', async () => {
    await page.getByRole('button', { name: /^Download invoice/ }).click();
    await expect(page).toHaveURL(/\/i\/in_\w+\/pdf$/);
  });
});
