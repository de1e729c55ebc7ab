import { screen, waitFor } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { apiFailure, fakeServer } from './fake-server.ts';
import { address, fill, logInAdmin, logInUser, openApp } from './render-app.tsx';

const TOKEN = 'A'.repeat(43);
const EMAIL = 'amara@talentfield.io';
const ENDED = 'This link no longer works';

describe('the page for a lost password', () => {
  test('A10 is linked on the login and says the same for every address', async () => {
    const server = fakeServer({ forgotPassword: () => ({ message: 'requested' }) });
    const { user } = openApp('/login');
    await user.click(await screen.findByRole('link', { name: 'Forgot your password?' }));
    await screen.findByRole('heading', { name: 'Forgot your password?' });
    await fill(user, screen.getByLabelText('Email'), EMAIL);
    await user.click(screen.getByRole('button', { name: 'Send link' }));
    expect(await screen.findByRole('heading', { name: 'Check your email' })).toBeVisible();
    expect(
      screen.getByText(/has an account, a link is on its way. It works once and expires in 30 minutes/),
    ).toBeVisible();
    expect(server.requestsTo('forgotPassword')[0]?.body).toEqual({ email: EMAIL });
    await user.click(screen.getByRole('button', { name: 'send it again' }));
    expect(await screen.findByLabelText('Email')).toHaveValue(EMAIL);
  });

  test('A10 takes the address along from the login, and back to it', async () => {
    fakeServer({ forgotPassword: () => ({ message: 'requested' }) });
    const { user } = openApp('/login');
    await fill(user, await screen.findByLabelText('Email'), EMAIL);
    await user.click(screen.getByRole('link', { name: 'Forgot your password?' }));
    await screen.findByRole('heading', { name: 'Forgot your password?' });
    expect(screen.getByLabelText('Email')).toHaveValue(EMAIL);
    await user.click(screen.getByRole('link', { name: 'Back to Log In' }));
    expect(await screen.findByLabelText('Email')).toHaveValue(EMAIL);
    expect(screen.getByLabelText('Password')).toHaveFocus();
  });

  test('leads back to the login of the admin', async () => {
    fakeServer();
    const { user } = openApp('/admin/login');
    await user.click(await screen.findByRole('link', { name: 'Forgot your password?' }));
    await user.click(await screen.findByRole('link', { name: 'Back to Log In' }));
    await waitFor(() => expect(address()).toBe('/admin/login'));
  });

  test('says how long to wait after too many requests', async () => {
    fakeServer({
      forgotPassword: () => {
        throw apiFailure('request.rate_limited');
      },
    });
    const { user } = openApp('/forgot-password');
    await fill(user, await screen.findByLabelText('Email'), EMAIL);
    await user.click(screen.getByRole('button', { name: 'Send link' }));
    expect(await screen.findByText(/Too many attempts/)).toBeVisible();
  });
});

describe('the page of a reset', () => {
  const choose = async (user: ReturnType<typeof openApp>['user'], password: string): Promise<void> => {
    await fill(user, await screen.findByLabelText('New password'), password);
    await fill(user, screen.getByLabelText('Repeat password'), password);
    await user.click(screen.getByRole('button', { name: 'Save password' }));
  };
  const checkReset = () => ({ data: { email: EMAIL, isAdmin: false } });

  test('A10 sets the password, and the token leaves the address at once', async () => {
    const server = fakeServer({ checkReset, resetPassword: () => ({ message: 'password set' }) });
    const { user } = openApp(`/reset-password#token=${TOKEN}`);
    expect(await screen.findByText(EMAIL)).toBeVisible();
    expect(address()).toBe('/reset-password');
    await choose(user, 'a new long sesame');
    expect(await screen.findByRole('heading', { name: 'Your password was changed' })).toBeVisible();
    expect(server.requestsTo('resetPassword')[0]?.body).toEqual({
      token: TOKEN,
      password: 'a new long sesame',
    });
    expect(localStorage.getItem('endUserToken')).toBeNull();
    await user.click(screen.getAllByRole('link', { name: 'Log In' }).at(-1) as HTMLElement);
    await waitFor(() => expect(address()).toBe('/login'));
    expect(screen.getByLabelText('Email')).toHaveValue(EMAIL);
  });

  test.each(['', '#token=', `#token=${'E'.repeat(43)}`])(
    'A10 offers a new link for one that does not work: %s',
    async (query) => {
      fakeServer({
        checkReset: () => {
          throw apiFailure('identity.link_ended');
        },
      });
      openApp(`/reset-password${query}`);
      expect(await screen.findByRole('heading', { name: ENDED })).toBeVisible();
      expect(screen.getByRole('link', { name: 'Send a new link' })).toHaveAttribute(
        'href',
        '/forgot-password',
      );
    },
  );

  test('A10 offers a new link when this one ends while the form is open', async () => {
    fakeServer({
      checkReset,
      resetPassword: () => {
        throw apiFailure('identity.link_ended');
      },
    });
    const { user } = openApp(`/reset-password#token=${TOKEN}`);
    await choose(user, 'a new long sesame');
    expect(await screen.findByRole('heading', { name: ENDED })).toBeVisible();
  });

  test('A3 shows why the server refuses a password at the field', async () => {
    fakeServer({
      checkReset,
      resetPassword: () => {
        throw apiFailure('request.invalid', { password: 'This password is too common.' });
      },
    });
    const { user } = openApp(`/reset-password#token=${TOKEN}`);
    await choose(user, 'iloveyou1');
    expect(await screen.findByText('This password is too common.')).toBeVisible();
    expect(screen.getByLabelText('New password')).toBeInvalid();
  });

  test('A3 says nothing of a password that was replaced while the server refused it', async () => {
    const refusal = Promise.withResolvers<never>();
    fakeServer({ checkReset, resetPassword: () => refusal.promise });
    const { user } = openApp(`/reset-password#token=${TOKEN}`);
    await choose(user, 'iloveyou1');
    await screen.findByRole('button', { name: 'Saving…' });
    await fill(user, screen.getByLabelText('New password'), ' and more');
    refusal.reject(apiFailure('request.invalid', { password: 'This password is too common.' }));
    await screen.findByRole('button', { name: 'Save password' });
    expect(screen.queryByText('This password is too common.')).not.toBeInTheDocument();
  });
});

describe('the dialog for a new password', () => {
  const open = async (area: 'user' | 'admin' = 'user') => {
    if (area === 'user') logInUser();
    else logInAdmin();
    const { user } = openApp(area === 'user' ? '/security' : '/admin/security');
    await user.click(await screen.findByRole('button', { name: 'Change password' }));
    await screen.findByRole('dialog', { name: 'Change your password' });
    return user;
  };
  const submit = async (user: Awaited<ReturnType<typeof open>>) => {
    await fill(user, screen.getByLabelText('Current password'), 'open sesame');
    await fill(user, screen.getByLabelText('New password'), 'a new long sesame');
    await fill(user, screen.getByLabelText('Repeat password'), 'a new long sesame');
    const buttons = screen.getAllByRole('button', { name: 'Change password' });
    await user.click(buttons.at(-1) as HTMLElement);
  };

  test.each(['user', 'admin'] as const)(
    'A9 sends the current password of a %s with the new one',
    async (area) => {
      const server = fakeServer({ changePassword: () => ({ message: 'password changed' }) });
      await submit(await open(area));
      expect(await screen.findByText(/Your password was changed/)).toBeVisible();
      expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
      expect(server.requestsTo('changePassword')[0]?.body).toEqual({
        currentPassword: 'open sesame',
        password: 'a new long sesame',
      });
    },
  );

  test('A9 shows a wrong current password at its field', async () => {
    fakeServer({
      changePassword: () => {
        throw apiFailure('identity.current_password_wrong', {
          currentPassword: 'This is not your current password.',
        });
      },
    });
    await submit(await open());
    expect(await screen.findByText('This is not your current password.')).toBeVisible();
    expect(screen.getByLabelText('Current password')).toBeInvalid();
  });
});

test('A9 the profile requires the current password once a new one is typed', async () => {
  logInUser();
  const server = fakeServer();
  const { user } = openApp('/profile');
  await fill(user, await screen.findByLabelText(/New password/), 'a new long sesame');
  await fill(user, screen.getByLabelText('Repeat password'), 'a new long sesame');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Please enter your current password')).toBeVisible();
  expect(server.requestsTo('updateUser')).toEqual([]);
  await fill(user, screen.getByLabelText('Current password'), 'open sesame');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(server.requestsTo('updateUser')[0]?.userData).toMatchObject({
      password: 'a new long sesame',
      currentPassword: 'open sesame',
    }),
  );
});
