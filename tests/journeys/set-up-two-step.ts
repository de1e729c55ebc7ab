import { expect, type Page } from '@playwright/test';
import { totpCode } from '../../harness/totp.ts';

/** Sets up an authenticator app on the page of security, a user's or an admin's, and returns its secret, the code that confirmed it and the recovery codes. */
export const setUpTwoStep = async (
  page: Page,
): Promise<{ secret: string; usedCode: string; codes: string[] }> => {
  await page.getByRole('button', { name: 'Set up' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set up two-step verification' });
  const secret = ((await dialog.locator('.totp-secret code').textContent()) ?? '').replaceAll(' ', '');
  const usedCode = totpCode(secret);
  await dialog.getByLabel('2. The code it shows').fill(usedCode);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  const saved = page.getByRole('dialog', { name: 'Save your recovery codes' });
  await expect(saved.getByRole('listitem')).toHaveCount(10);
  const codes = await saved.getByRole('listitem').allTextContents();
  await saved.getByLabel('I saved these codes in a safe place').check();
  await saved.getByRole('button', { name: 'Done' }).click();
  await expect(saved).toBeHidden();
  await expect(page.getByText('10 of 10 left')).toBeVisible();
  return { secret, usedCode, codes };
};
