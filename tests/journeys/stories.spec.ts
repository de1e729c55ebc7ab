import type { Page } from '@playwright/test';
import type { System } from '@shortlist/local/system';
import {
  callApi,
  confirmEmail,
  logIn,
  logInAdmin,
  mailedCode,
  mailedLink,
  newUser,
  register,
  signUp,
} from '../../harness/client.ts';
import { expect, test } from '../../harness/system.ts';
import { INVITATION } from '../../harness/team.ts';
import { totpCode } from '../../harness/totp.ts';
import { payByCard } from './checkout-page.ts';
import { openLogInPage } from './log-in-page.ts';
import { fillNewUser } from './new-user-form.ts';
import { setUpTwoStep } from './set-up-two-step.ts';

// Production's defaults, but for the log-in after a sign-up.
test.use({ bffSettings: { LOG_IN_AFTER_SIGN_UP: 'direct', ADMIN_TWO_STEP: 'required' } });

/** Counts the presses of a pointer on the product's own pages, not on Stripe's. */
const countClicks = async (page: Page, { publicUrl }: System): Promise<() => number> => {
  let clicks = 0;
  await page.exposeBinding('countClick', ({ frame }) => {
    if (frame.url().startsWith(publicUrl)) clicks += 1;
  });
  await page.addInitScript("addEventListener('pointerdown', () => window.countClick(), true)");
  return () => clicks;
};

test('a recruiter registers, confirms the address, pays, sees credits and the invoice, and cancels in 12 clicks', async ({
  page,
  system,
}) => {
  const clicks = await countClicks(page, system);
  const user = newUser({ firstName: 'Ingrid', lastName: 'Solberg' });

  await test.step('registers, and is not asked to log in', async () => {
    await page.goto('/register');
    await fillNewUser(page, user);
    await page.getByRole('button', { name: 'Sign Up' }).click();
    await expect(page.getByRole('heading', { name: 'Account Management Panel' })).toBeVisible();
  });

  await test.step('confirms the address by the mailed code', async () => {
    const code = await mailedCode(system, user.email, 'Welcome to Shortlist');
    await page.getByRole('link', { name: 'Enter the code' }).click();
    await expect(page.getByLabel('Code from the email')).toBeFocused();
    await page.keyboard.type(code);
    await page.keyboard.press('Enter');
    await expect(page.getByText('Confirm your email.')).toHaveCount(0);
  });

  await test.step('pays by card', async () => {
    await page.getByRole('link', { name: 'Home' }).click();
    await page.getByRole('link', { name: 'Manage Subscription' }).click();
    await page.getByRole('button', { name: 'Get Started' }).click();
    await payByCard(page, 'Ingrid Solberg');
    await expect(page.getByText('Your payment has been processed successfully.')).toBeVisible();
  });

  await test.step('sees the credits', async () => {
    await page.getByRole('link', { name: 'Credits & Usage' }).click();
    await expect(page.getByText('of 500')).toBeVisible();
  });

  await test.step('sees the invoice at Stripe, and cancels there', async () => {
    await page.getByRole('link', { name: 'Stripe Billing Portal' }).click();
    await expect(page.getByRole('row', { name: /\$59\.00 Paid/ })).toBeVisible();
    await page.getByRole('link', { name: 'Cancel subscription' }).click();
    await page.getByRole('button', { name: /Cancel/ }).click();
    await page.getByRole('link', { name: 'Return' }).click();
    await expect(page.getByText(/^You canceled your subscription\./)).toBeVisible();
  });

  expect(clicks()).toBeGreaterThan(5);
  expect(clicks()).toBeLessThanOrEqual(12);
});

test('a user with an authenticator app who forgot the password types the address once', async ({
  page,
  system,
}) => {
  const user = newUser();
  const password = 'found again today';

  const secret = await test.step('sets up the app', async () => {
    const { status } = await signUp(system, user);
    expect(status).toBe(201);
    // A link for a new password removes the factors of an account whose address nobody has confirmed.
    await confirmEmail(system, await logIn(system, user));
    await openLogInPage(page);
    await page.getByLabel('Email').fill(user.email);
    await page.getByLabel('Password', { exact: true }).fill(user.password);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Security' }).click();
    const { secret: made } = await setUpTwoStep(page);
    await page.getByRole('button', { name: 'Account menu' }).click();
    await page.getByRole('menuitem', { name: 'Logout' }).click();
    return made;
  });

  await test.step('types the address, then asks for a link', async () => {
    await openLogInPage(page);
    await page.getByLabel('Email').fill(user.email);
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible();
    await expect(page.getByLabel('Email')).toHaveValue(user.email);
    await page.getByRole('button', { name: 'Send link' }).click();
  });

  await test.step('sets a new password and logs in with it and a code', async () => {
    await page.goto(await mailedLink(system, user.email, 'Set a new password'));
    await page.getByLabel('New password', { exact: true }).fill(password);
    await page.getByLabel('Repeat password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Save password' }).click();
    await page.getByRole('link', { name: 'Log In' }).click();
    await expect(page.getByLabel('Email')).toHaveValue(user.email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Log In', exact: true }).click();
    await expect(page.getByLabel('Code', { exact: true })).toBeFocused();
    await page.keyboard.type(totpCode(secret, 1));
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: 'Account menu' })).toBeVisible();
  });
});

/** Sets up the owner's authenticator app and returns a session that may do everything. */
const openOwnerSession = async (system: System): Promise<string> => {
  const token = await logInAdmin(system);
  const factors = `${system.publicUrl}/api/factors/totp`;
  const started = await callApi<{ data: { secret: string } }>(factors, 'POST', { token });
  const body = { code: totpCode(started.body.data.secret) };
  const { status } = await callApi(`${factors}/confirm`, 'POST', { token, body });
  if (status !== 200) throw new Error(`the owner's code returned ${status}`);
  return token;
};

test('an invited colleague joins, sets up two-step verification and grants Premium in 10 clicks', async ({
  page,
  system,
}) => {
  const clicks = await countClicks(page, system);
  const user = await register(system, { firstName: 'Tomás', lastName: 'Ferreira' });
  const colleague = `support-${Date.now()}@shortlist.test`;
  await callApi(`${system.publicUrl}/api/admin/team/invitations`, 'POST', {
    token: await openOwnerSession(system),
    body: { email: colleague, role: 'support' },
  });

  await test.step('accepts the invitation and logs in', async () => {
    await page.goto(await mailedLink(system, colleague, INVITATION));
    await page.getByLabel('Name', { exact: true }).fill('Kavya Raman');
    await page.getByLabel('Password', { exact: true }).fill('a long enough one');
    await page.getByLabel('Repeat password', { exact: true }).fill('a long enough one');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Log In' }).click();
    await expect(page.getByLabel('Email')).toHaveValue(colleague);
    await page.getByLabel('Password', { exact: true }).fill('a long enough one');
    await page.keyboard.press('Enter');
  });

  await test.step('sets up the second step that the panel requires', async () => {
    await setUpTwoStep(page);
  });

  await test.step('finds the user and grants Premium', async () => {
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('combobox')).toBeFocused();
    await page.keyboard.type(user.email);
    await page.getByRole('option', { name: /Tomás Ferreira/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Make Him A Premium User' }).click();
    await page.getByRole('button', { name: 'Grant Premium' }).click();
    await expect(page.getByRole('button', { name: 'Unsubscribe' })).toBeVisible();
  });

  expect(clicks()).toBeGreaterThan(3);
  expect(clicks()).toBeLessThanOrEqual(10);
});
