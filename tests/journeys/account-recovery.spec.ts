import { callApi, logIn, mailedLink, mailSubjects, newUser, signUp } from '../../harness/client.ts';
import { logInByForm, openLogInPage, submitLogIn } from './log-in-page.ts';
import { expect, test } from '../../harness/system.ts';

const WELCOME = 'Welcome to Shortlist';

test('A10 a user who has lost the password sets a new one by mail, which ends every session', async ({
  page,
  system,
}) => {
  const user = newUser();
  expect((await signUp(system, user)).status).toBe(201);
  const stolen = await logIn(system, user);

  await test.step('requests a link on the login', async () => {
    await openLogInPage(page);
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    // The login has an Email field, too.
    await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible();
    await page.getByLabel('Email').fill(user.email);
    await page.getByRole('button', { name: 'Send link' }).click();
    await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
  });

  const link = await mailedLink(system, user.email, 'Set a new password');
  expect(link.startsWith(system.publicUrl)).toBe(true);

  await test.step('sets a new password, not a common one', async () => {
    await page.goto(link);
    await expect(page.getByText(user.email)).toBeVisible();
    await expect(page).toHaveURL(/\/reset-password$/);
    const choose = async (password: string): Promise<void> => {
      await page.getByLabel('New password', { exact: true }).fill(password);
      await page.getByLabel('Repeat password', { exact: true }).fill(password);
      await page.getByRole('button', { name: 'Save password' }).click();
    };
    await choose('iloveyou');
    await expect(page.getByText(/This password is too common/)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Save password' })).toBeEnabled(); // it says Saving… until the server has responded
    await choose('found again today');
    await expect(page.getByRole('heading', { name: 'Your password was changed' })).toBeVisible();
  });

  await test.step('logs in with it', async () => {
    const check = await callApi(`${system.publicUrl}/authentication_check`, 'GET', { token: stolen.token });
    expect(check.status).toBe(401);
    await page.getByRole('link', { name: 'Log In' }).click();
    await submitLogIn(page, { email: user.email, password: 'found again today' });
    await expect(page.getByRole('heading', { name: 'Account Management Panel' })).toBeVisible();
  });

  await test.step('finds that the link works once, and a mail about the change', async () => {
    await page.goto(link);
    await expect(page.getByRole('heading', { name: 'This link no longer works' })).toBeVisible();
    await expect
      .poll(() => mailSubjects(system, user.email))
      .toEqual(expect.arrayContaining(['Your password was changed']));
  });
});

test('A12 a new user confirms the address by the link of the welcome mail, and the bar goes', async ({
  page,
  system,
}) => {
  const user = newUser();
  expect((await signUp(system, user)).status).toBe(201);
  await logInByForm(page, user);
  await expect(page.getByText('Confirm your email.')).toBeVisible();
  await page.goto(await mailedLink(system, user.email, WELCOME));
  await page.getByRole('button', { name: 'Confirm email' }).click();
  await expect(page.getByRole('heading', { name: 'Your email is confirmed' })).toBeVisible();
  await page.getByRole('link', { name: 'Go to your account' }).click();
  await expect(page.getByRole('heading', { name: 'Account Management Panel' })).toBeVisible();
  await expect(page.getByText('Confirm your email.')).toHaveCount(0);
});
