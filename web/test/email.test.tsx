import { screen, waitFor } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { apiFailure, fakeServer } from './fake-server.ts';
import { userView } from './fixtures.ts';
import { address, fill, logInUser, openApp } from './render-app.tsx';

const { email } = userView();
const CONFIRM_BY = '2026-03-08T12:00:00.000Z';
const unverified = {
  email: () => ({
    data: { email, isVerified: false, pendingEmail: null, confirmBy: null, suppression: null },
  }),
};
let tokens = 0;
const newToken = (): string => String((tokens += 1)).padStart(43, 'A');

describe('the bar of an unconfirmed address', () => {
  test('A12 has the mail sent again and leads to the code', async () => {
    logInUser();
    const server = fakeServer({ ...unverified, resendVerification: () => ({ message: 'requested' }) });
    const { user } = openApp('/');
    await user.click(await screen.findByRole('button', { name: 'Send it again' }));
    expect(await screen.findByText(`A new link is on its way to ${email}.`)).toBeVisible();
    expect(server.requestsTo('resendVerification')).toHaveLength(1);
    await user.click(screen.getByRole('link', { name: 'Enter the code' }));
    await waitFor(() => expect(address()).toBe('/security'));
    await waitFor(() => expect(screen.getByLabelText('Code from the email')).toHaveFocus());
  });

  test('A12 says on which day the account is deleted without a confirmation', async () => {
    logInUser();
    const data = { email, isVerified: false, pendingEmail: null, confirmBy: CONFIRM_BY, suppression: null };
    fakeServer({ email: () => ({ data }) });
    openApp('/');
    expect(await screen.findByText(/Your account will be deleted on Mar 8, 2026 unless/)).toBeVisible();
  });

  test('A12 is part of the first paint once the address is known to be unconfirmed', () => {
    logInUser();
    localStorage.setItem('unconfirmedEmail', `${email} ${CONFIRM_BY}`);
    fakeServer({ ...unverified, checkUser: () => new Promise(() => undefined) });
    openApp('/');
    expect(screen.getByText('Confirm your email.')).toBeVisible();
    expect(screen.getByText(/account will be deleted on Mar 8, 2026 unless/)).toBeVisible();
  });

  test('A12 is forgotten with the session', async () => {
    logInUser();
    localStorage.setItem('unconfirmedEmail', `${email} ${CONFIRM_BY}`);
    fakeServer({ checkUser: () => Promise.reject(apiFailure('session.missing')) });
    openApp('/');
    await waitFor(() => expect(address()).toBe('/login'));
    expect(localStorage.getItem('unconfirmedEmail')).toBeNull();
  });

  test('A12 says how long to wait', async () => {
    logInUser();
    fakeServer({
      ...unverified,
      resendVerification: () => {
        throw apiFailure('request.rate_limited');
      },
    });
    const { user } = openApp('/');
    await user.click(await screen.findByRole('button', { name: 'Send it again' }));
    expect(await screen.findByText(/Too many attempts/)).toBeVisible();
  });

  test('A12 is gone once the code is entered', async () => {
    logInUser();
    let isVerified = false;
    const server = fakeServer({
      email: () => ({ data: { email, isVerified, pendingEmail: null, confirmBy: null, suppression: null } }),
      verifyEmailCode: ({ body }) => {
        if (body['code'] !== '012345')
          throw apiFailure('identity.email_code_wrong', { code: 'This code is not right.' });
        isVerified = true;
        return { data: { email } };
      },
    });
    const { user } = openApp('/security');
    const code = await screen.findByLabelText('Code from the email');
    expect(code.closest('li')).toHaveTextContent(email);
    await fill(user, code, '999999');
    await user.click(screen.getByRole('button', { name: 'Confirm email' }));
    expect(await screen.findByText('This code is not right.')).toBeVisible();
    await user.clear(code);
    await fill(user, code, '012345');
    await user.click(screen.getByRole('button', { name: 'Confirm email' }));
    await waitFor(() => expect(screen.queryByText('Confirm your email.')).not.toBeInTheDocument());
    expect(screen.queryByLabelText('Code from the email')).not.toBeInTheDocument();
    expect(server.requestsTo('verifyEmailCode')).toHaveLength(2);
  });
});

describe('the page of the link', () => {
  test('A12 confirms the address once, and the token leaves the address bar', async () => {
    const server = fakeServer({ verifyEmail: () => ({ data: { email } }) });
    const token = newToken();
    const { user } = openApp(`/verify-email#token=${token}`);
    const button = await screen.findByRole('button', { name: 'Confirm email' });
    expect(address()).toBe('/verify-email');
    // A program that opens the link and runs the page's scripts confirms nothing.
    expect(server.requestsTo('verifyEmail')).toEqual([]);
    await user.click(button);
    expect(await screen.findByRole('heading', { name: 'Your email is confirmed' })).toBeVisible();
    expect(screen.getByText(email)).toBeVisible();
    expect(server.requestsTo('verifyEmail').map(({ body }) => body)).toEqual([{ token }]);
  });

  const verifyEmail = () => {
    throw apiFailure('identity.link_ended');
  };

  const confirm = async ({ user }: ReturnType<typeof openApp>): Promise<void> =>
    user.click(await screen.findByRole('button', { name: 'Confirm email' }));

  test('A12 leads to the log-in when the link has ended', async () => {
    fakeServer({ verifyEmail });
    await confirm(openApp(`/verify-email#token=${newToken()}`));
    expect(await screen.findByRole('heading', { name: 'This link no longer works' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Log In' })).toHaveAttribute('href', '/login');
  });

  test('A12 sends a new link to a user who is logged in', async () => {
    logInUser();
    fakeServer({ ...unverified, verifyEmail, resendVerification: () => ({ message: 'requested' }) });
    const app = openApp(`/verify-email#token=${newToken()}`);
    await confirm(app);
    await app.user.click(await screen.findByRole('button', { name: 'Send a new link' }));
    expect(await screen.findByText(/A new link is on its way to/)).toBeVisible();
  });

  test('A12 says so when the address is confirmed already', async () => {
    logInUser();
    fakeServer({ verifyEmail });
    await confirm(openApp(`/verify-email#token=${newToken()}`));
    expect(await screen.findByRole('heading', { name: 'Your email is confirmed' })).toBeVisible();
  });
});

test('A12 Get Started says that the address is to be confirmed, and sends the mail again', async () => {
  logInUser();
  const server = fakeServer({
    subscribe: () => {
      throw apiFailure('identity.email_unverified');
    },
    resendVerification: () => ({ message: 'requested' }),
  });
  const { user } = openApp('/payments');
  await user.click(await screen.findByRole('button', { name: 'Get Started' }));
  expect(await screen.findByText(/Please confirm your email first/)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Send it again' }));
  expect(await screen.findByText(/A new link is on its way to/)).toBeVisible();
  expect(server.requestsTo('resendVerification')).toHaveLength(1);
});
