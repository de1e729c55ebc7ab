import type { BrowserContext, Page } from '@playwright/test';
import type { System } from '@shortlist/local/system';
import { mailSubjects, newUser, signUp } from '../../harness/client.ts';
import { logInByForm, submitLogIn } from './log-in-page.ts';
import { setUpTwoStep } from './set-up-two-step.ts';
import { expect, test } from '../../harness/system.ts';
import { totpCode } from '../../harness/totp.ts';

/** A platform authenticator of this browser: it keeps passkeys and verifies its user by itself. */
const addAuthenticator = async (context: BrowserContext, page: Page): Promise<void> => {
  const client = await context.newCDPSession(page);
  await client.send('WebAuthn.enable');
  await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      automaticPresenceSimulation: true,
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  });
};

type User = ReturnType<typeof newUser>;

const registerUser = async (system: System): Promise<User> => {
  const user = newUser();
  expect((await signUp(system, user)).status).toBe(201);
  return user;
};

const logOut = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await expect(page.getByRole('button', { name: 'Log In' })).toBeVisible();
};

test('A user with an authenticator app logs in with its code, and with a recovery code once.', async ({
  page,
  system,
}) => {
  const user = await registerUser(system);
  await logInByForm(page, user);
  await expect(page.getByRole('heading', { name: 'Account Management Panel' })).toBeVisible();
  await page.goto('/security');
  const { secret, usedCode, codes } = await setUpTwoStep(page);

  await logOut(page);
  await submitLogIn(page, user);
  await page.getByLabel('Code').fill(usedCode);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('4 tries left')).toBeVisible();
  await page.getByLabel('Code').fill(totpCode(secret, 1));
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('heading', { name: 'Security' })).toBeVisible();

  const tryRecoveryCode = async (): Promise<void> => {
    await logOut(page);
    await submitLogIn(page, user);
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    await page.getByLabel('Recovery code').fill(codes[0] ?? '');
    await page.getByRole('button', { name: 'Continue' }).click();
  };
  await tryRecoveryCode();
  await expect(page.getByText('9 of 10 left')).toBeVisible();
  await tryRecoveryCode();
  await expect(page.getByText('or was already used')).toBeVisible();
  await expect.poll(() => mailSubjects(system, user.email)).toContain('Two-step verification was turned on');
});

test('A user with a passkey logs in without a password, and uses it as the second step.', async ({
  context,
  page,
  system,
}) => {
  const user = await registerUser(system);
  await addAuthenticator(context, page);
  await logInByForm(page, user);
  await expect(page.getByRole('heading', { name: 'Account Management Panel' })).toBeVisible();
  await page.goto('/security');
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await expect(page.getByText('Not used yet')).toBeVisible();

  await logOut(page);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page.getByText(/Used on/)).toBeVisible();

  await setUpTwoStep(page);
  await logOut(page);
  await submitLogIn(page, user);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page.getByRole('heading', { name: 'Security' })).toBeVisible();

  await page.getByRole('button', { name: /^Remove / }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText(/Used on/)).toBeHidden();
  await expect.poll(() => mailSubjects(system, user.email)).toContain('A passkey was removed');
});
