import type { FactorsView } from '@shortlist/contracts/api/factors';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { apiFailure, fakeServer } from './fake-server.ts';
import { userView } from './fixtures.ts';
import { address, fill, logInAdmin, logInUser, openApp } from './render-app.tsx';

const CODES = Array.from({ length: 10 }, (_, index) => `abcde-2345${index}`);
const ON: FactorsView = {
  totpSince: '2026-11-21T09:00:00.000Z',
  recoveryCodes: { left: 9, total: 10 },
  passkeys: [],
};
const OFF: FactorsView = { totpSince: null, recoveryCodes: { left: 0, total: 10 }, passkeys: [] };

const WRONG = 'That code is not right. 4 tries left';
const secondStep = () => ({
  message: 'second factor' as const,
  data: { ticket: 'ticket-1', methods: ['totp' as const, 'recovery' as const] },
});
const loggedIn = () => ({
  message: 'login' as const,
  data: { token: `fresh-${Math.random()}`, user: userView(), remainingTime: 3_600 },
});

const typePassword = async ({ user }: ReturnType<typeof openApp>) => {
  await fill(user, await screen.findByLabelText('Email'), 'amara@talentfield.io');
  await fill(user, screen.getByLabelText('Password'), 'long enough');
  await user.click(screen.getByRole('button', { name: 'Log In' }));
};

describe('a log-in with two-step verification', () => {
  test('takes a code after the password, clears a wrong one and says how many tries are left', async () => {
    const inputs: Record<string, unknown>[] = [];
    fakeServer({
      login: secondStep,
      secondFactor: ({ body }) => {
        inputs.push(body);
        if (inputs.length === 1) throw apiFailure('identity.code_wrong', { code: WRONG });
        return loggedIn();
      },
    });
    const app = openApp('/login');
    await typePassword(app);
    const code = await screen.findByLabelText('Code');
    expect(code).toHaveFocus();
    await app.user.type(code, '418302');
    await app.user.click(screen.getByRole('button', { name: 'Continue' }));
    expect(await screen.findByText(WRONG)).toBeVisible();
    expect(code).toHaveValue('');
    await app.user.click(screen.getByLabelText('Remember this device for 30 days'));
    await app.user.type(code, '123456');
    await app.user.click(screen.getByRole('button', { name: 'Continue' }));
    expect(await screen.findByText('Account Management Panel')).toBeVisible();
    expect(inputs[1]).toEqual({ ticket: 'ticket-1', remember: true, code: '123456' });
  });

  test('keeps the address on the way back to the password, and forgets it with the session', async () => {
    fakeServer({ login: secondStep, secondFactor: loggedIn });
    const app = openApp('/login');
    await typePassword(app);
    await screen.findByLabelText('Code');
    await app.user.click(screen.getByRole('button', { name: 'Back to Log In' }));
    expect(await screen.findByLabelText('Email')).toHaveValue('amara@talentfield.io');
    await fill(app.user, screen.getByLabelText('Password'), 'long enough');
    await app.user.click(screen.getByRole('button', { name: 'Log In' }));
    await app.user.type(await screen.findByLabelText('Code'), '123456');
    await app.user.click(screen.getByRole('button', { name: 'Continue' }));
    await screen.findByText('Account Management Panel');
    expect(app.store.getState().loginEmail).toBe('');
  });

  test('takes a recovery code instead', async () => {
    fakeServer({
      login: secondStep,
      secondFactor: ({ body }) => {
        expect(body['recoveryCode']).toBe('abcde-23456');
        return loggedIn();
      },
    });
    const app = openApp('/login');
    await typePassword(app);
    await app.user.click(await screen.findByRole('button', { name: 'Use a recovery code' }));
    await app.user.type(screen.getByLabelText('Recovery code'), 'abcde-23456');
    await app.user.click(screen.getByRole('button', { name: 'Continue' }));
    expect(await screen.findByText('Account Management Panel')).toBeVisible();
  });

  test('returns to the password when the server has ended it', async () => {
    fakeServer({
      login: secondStep,
      secondFactor: () => {
        throw apiFailure('session.second_step_ended');
      },
    });
    const app = openApp('/login');
    await typePassword(app);
    await app.user.type(await screen.findByLabelText('Code'), '123456');
    await app.user.click(screen.getByRole('button', { name: 'Continue' }));
    expect(await screen.findByText(/Please sign in again/)).toBeVisible();
    expect(screen.getByLabelText('Password')).toBeVisible();
  });
});

describe('the security page', () => {
  test('sets up an authenticator app and shows the recovery codes until they are saved', async () => {
    logInUser();
    let factors = OFF;
    fakeServer({
      factors: () => ({ data: factors }),
      startTotp: () => ({ data: { secret: 'JBSWY3DPEHPK3PXP', email: 'amara@talentfield.io' } }),
      confirmTotp: ({ body }) => {
        if (body['code'] !== '123456') throw apiFailure('identity.code_wrong');
        factors = ON;
        return { data: { recoveryCodes: CODES } };
      },
    });
    const { user } = openApp('/security');
    await user.click(await screen.findByRole('button', { name: 'Set up' }));
    const setUp = await screen.findByRole('dialog', { name: 'Set up two-step verification' });
    expect(within(setUp).getByRole('img', { name: /QR code/ })).toBeVisible();
    expect(within(setUp).getByText('JBSW Y3DP EHPK 3PXP')).toBeVisible();
    const code = within(setUp).getByLabelText('2. The code it shows');
    await user.type(code, '000000');
    await user.click(within(setUp).getByRole('button', { name: 'Continue' }));
    expect(await within(setUp).findByText(/That code is not right/)).toBeVisible();
    await user.type(code, '123456');
    await user.click(within(setUp).getByRole('button', { name: 'Continue' }));
    const codes = await screen.findByRole('dialog', { name: 'Save your recovery codes' });
    expect(
      within(codes)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual(CODES);
    const done = within(codes).getByRole('button', { name: 'Done' });
    expect(done).toBeDisabled();
    await user.keyboard('{Escape}');
    expect(codes).toBeVisible();
    await user.click(within(codes).getByLabelText('I saved these codes in a safe place'));
    await user.click(done);
    expect(await screen.findByText('9 of 10 left. Each works once if you lose your phone')).toBeVisible();
    // Its button is gone.
    await waitFor(() => expect(screen.getByRole('heading', { level: 1, name: 'Security' })).toHaveFocus());
  });

  test('needs the password before a change, and then repeats the change', async () => {
    logInUser();
    let isProven = false;
    let factors = ON;
    fakeServer({
      factors: () => ({ data: factors }),
      removeTotp: () => {
        if (!isProven) throw apiFailure('session.reauthentication_required');
        factors = OFF;
        return { message: 'removed' };
      },
      reauthentication: () => ({ data: { methods: ['password'], passkey: null } }),
      reauthenticate: ({ body }) => {
        if (body['password'] !== 'long enough')
          throw apiFailure('identity.current_password_wrong', { currentPassword: 'Wrong.' });
        isProven = true;
        return { message: 'reauthenticated' };
      },
    });
    const { user } = openApp('/security');
    await user.click(await screen.findByRole('button', { name: 'Turn off' }));
    const off = screen.getByRole('dialog', { name: 'Turn off two-step verification' });
    await user.click(within(off).getByRole('button', { name: 'Turn off' }));
    const confirm = await screen.findByRole('dialog', { name: 'Confirm it is you' });
    const password = await within(confirm).findByLabelText('Password');
    await fill(user, password, 'another one');
    await user.click(within(confirm).getByRole('button', { name: 'Confirm' }));
    expect(await within(confirm).findByText('Wrong.')).toBeVisible();
    await fill(user, password, 'long enough');
    await user.click(within(confirm).getByRole('button', { name: 'Confirm' }));
    expect(await screen.findByRole('button', { name: 'Set up' })).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(screen.getByRole('heading', { level: 1, name: 'Security' })).toHaveFocus();
  });

  test('confirms with a recovery code after a wrong code, in a field of its own', async () => {
    logInUser();
    fakeServer({
      factors: () => ({ data: ON }),
      removeTotp: () => {
        throw apiFailure('session.reauthentication_required');
      },
      reauthentication: () => ({ data: { methods: ['totp', 'recovery'], passkey: null } }),
      reauthenticate: () => {
        throw apiFailure('identity.code_wrong', { code: WRONG });
      },
    });
    const { user } = openApp('/security');
    await user.click(await screen.findByRole('button', { name: 'Turn off' }));
    const off = screen.getByRole('dialog', { name: 'Turn off two-step verification' });
    await user.click(within(off).getByRole('button', { name: 'Turn off' }));
    await user.type(await screen.findByLabelText('Code from your authenticator app'), '418302');
    await user.click(screen.getByRole('button', { name: 'Confirm' }));
    expect(await screen.findByText(WRONG)).toBeVisible();
    await user.type(screen.getByLabelText('Code from your authenticator app'), '41');
    await user.click(screen.getByRole('button', { name: 'Use a recovery code' }));
    expect(screen.getByLabelText('Recovery code')).toHaveValue('');
    expect(screen.queryByText(WRONG)).not.toBeInTheDocument();
  });

  test('keeps the change undone when the confirmation is cancelled', async () => {
    logInUser();
    fakeServer({
      factors: () => ({ data: ON }),
      removeTotp: () => {
        throw apiFailure('session.reauthentication_required');
      },
      reauthentication: () => ({ data: { methods: ['totp', 'recovery'], passkey: null } }),
    });
    const { user } = openApp('/security');
    await user.click(await screen.findByRole('button', { name: 'Turn off' }));
    const off = screen.getByRole('dialog', { name: 'Turn off two-step verification' });
    await user.click(within(off).getByRole('button', { name: 'Turn off' }));
    const confirm = await screen.findByRole('dialog', { name: 'Confirm it is you' });
    expect(await within(confirm).findByLabelText('Code from your authenticator app')).toBeVisible();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(confirm).not.toBeInTheDocument());
    expect(within(off).getByText('Please confirm that it is you, then try again.')).toBeVisible();
  });
});

test('the removal of the last passkey leaves the focus on the heading', async () => {
  logInUser();
  const passkey = { id: 'p1', name: 'Mac', createdAt: '2026-11-21T09:00:00.000Z', lastUsedAt: null };
  let passkeys = [passkey];
  fakeServer({
    factors: () => ({ data: { ...OFF, passkeys } }),
    removePasskey: () => {
      passkeys = [];
      return { message: 'removed' };
    },
  });
  const { user } = openApp('/security');
  await user.click(await screen.findByRole('button', { name: 'Remove Mac' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Remove this passkey' }));
  await user.click(dialog.getByRole('button', { name: 'Remove' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Remove Mac' })).not.toBeInTheDocument());
  expect(screen.getByRole('heading', { level: 1, name: 'Security' })).toHaveFocus();
});

test('an admin who must have a second factor gets no further than the security page', async () => {
  logInAdmin();
  fakeServer({ checkAdmin: () => ({ remainingTime: 3_600, role: 'owner', needsSecondFactor: true }) });
  openApp('/admin/user-list');
  // The part of the page that loads next may hide it for a moment.
  await waitFor(() =>
    expect(screen.getByText(/Your admin account needs two-step verification/)).toBeVisible(),
  );
  expect(address()).toBe('/admin/security');
  expect(screen.queryByRole('button', { name: 'Change password' })).not.toBeInTheDocument(); // it would be refused
});

test('an admin who has removed the last factor is led back to the security page', async () => {
  logInAdmin();
  let needsSecondFactor = false;
  fakeServer({
    checkAdmin: () => ({
      remainingTime: 3_600,
      role: 'owner',
      ...(needsSecondFactor ? { needsSecondFactor } : {}),
    }),
    factors: () => ({ data: OFF }),
    userTotals: () => {
      throw apiFailure('session.second_factor_required');
    },
  });
  const { user } = openApp('/admin/security');
  await screen.findByRole('button', { name: 'Set up' });
  needsSecondFactor = true;
  await user.click(screen.getByRole('link', { name: 'Dashboard' }));
  // The part of the page that loads next may hide it for a moment.
  await waitFor(() =>
    expect(screen.getByText(/Your admin account needs two-step verification/)).toBeVisible(),
  );
  expect(address()).toBe('/admin/security');
});

test('an admin removes the factors of a user for a reason', async () => {
  logInAdmin();
  let factors = ON;
  fakeServer({
    getUser: () => ({ data: userView() }),
    userFactors: () => ({ data: factors }),
    removeUserFactors: ({ body }) => {
      if (body['reason'] === '') throw apiFailure('request.invalid', { reason: 'Please enter a reason' });
      factors = OFF;
      return { message: 'removed' };
    },
  });
  const { user } = openApp(`/admin/edit-user?user_id=${userView().id}&tab=security`);
  await user.click(await screen.findByRole('button', { name: 'Remove second factors' }));
  const dialog = screen.getByRole('dialog', { name: 'Remove second factors' });
  await user.click(within(dialog).getByRole('button', { name: 'Remove' }));
  expect(await within(dialog).findByText('Please enter a reason')).toBeVisible();
  await fill(user, within(dialog).getByLabelText('Reason'), 'Lost the phone');
  await user.click(within(dialog).getByRole('button', { name: 'Remove' }));
  expect(await screen.findByText('Off. No passkeys')).toBeVisible();
});
