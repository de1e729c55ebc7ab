import type { Page } from '@playwright/test';

/** Pays on Stripe's page, which is open, with a card that works: for the plan, or once. */
export const payByCard = async (
  page: Page,
  name: string,
  button: 'Subscribe' | 'Pay' = 'Subscribe',
): Promise<void> => {
  await page.getByLabel('Card number').fill('4242 4242 4242 4242');
  await page.getByLabel('Expiry').fill('12/34');
  await page.getByLabel('CVC').fill('123');
  await page.getByLabel('Name on card').fill(name);
  await page.getByRole('button', { name: button }).click();
};
