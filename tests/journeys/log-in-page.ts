import type { Page } from '@playwright/test';

type Credentials = { email: string; password: string };

/** Opens the log-in page and waits until React has replaced the prerendered form, which looks the same and accepts no input. */
export const openLogInPage = async (page: Page): Promise<void> => {
  await page.goto('/login');
  await page.locator('.prerendered').waitFor({ state: 'detached' });
};

/** Sends the form of the log-in page that is open. */
export const submitLogIn = async (page: Page, { email, password }: Credentials): Promise<void> => {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log In', exact: true }).click();
};

/** Opens the log-in page and sends its form. */
export const logInByForm = async (page: Page, credentials: Credentials): Promise<void> => {
  await openLogInPage(page);
  await submitLogIn(page, credentials);
};
