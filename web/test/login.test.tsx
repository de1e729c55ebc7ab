import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { fakeServer, apiFailure, unreachable } from './fake-server.ts';
import { userView } from './fixtures.ts';
import { holdTime } from './hold-time.ts';
import { address, fill, logInAdmin, logInUser, openApp } from './render-app.tsx';

const WRONG = 'Incorrect login credentials. Please check your username and password and try again.';
const REGISTERED = 'You have successful registered, please login below';
const PICTURE = '0123456789abcdef0123456789abcdef.jpg';

const loggedIn = () => ({
  message: 'login' as const,
  data: { token: `fresh-${Math.random()}`, user: userView(), remainingTime: 3_600 },
});

const fillIn = async ({ user }: ReturnType<typeof openApp>, email: string, password: string) => {
  await user.type(await screen.findByLabelText('Email'), email);
  await user.type(screen.getByLabelText('Password'), password);
  await user.click(screen.getByRole('button', { name: 'Log In' }));
};

describe('validation of the login form', () => {
  test('shows a message at both fields and above the form for an empty submit', async () => {
    fakeServer();
    const { user } = openApp('/login');
    await user.click(await screen.findByRole('button', { name: 'Log In' }));
    expect(await screen.findByText('Please provide valid email and password')).toBeInTheDocument();
    expect(screen.getByText('Please provide your login Email address')).toBeInTheDocument();
    expect(screen.getByText('Please provide your login Password')).toBeInTheDocument();
    expect(screen.getByLabelText('Email')).toBeInvalid();
    expect(screen.getByLabelText('Email')).toHaveAccessibleDescription(
      'Please provide your login Email address',
    );
  });

  test.each([
    ['abc', 'Email must contain at least four characters'],
    ['amara.talentfield', 'Please provide a valid email'],
    ['amara@example.io', "Email should not contain the word 'example'"],
  ])('rejects %s while it is typed', async (email, message) => {
    fakeServer();
    const { user } = openApp('/login');
    await fill(user, await screen.findByLabelText('Email'), email);
    expect(await screen.findByText(message)).toBeInTheDocument();
  });

  test('rejects a short password without sending it', async () => {
    const server = fakeServer();
    const app = openApp('/login');
    await fillIn(app, 'amara@talentfield.io', '12345');
    expect(await screen.findByText('Password must contain at least six characters')).toBeInTheDocument();
    expect(server.requestsTo('login')).toHaveLength(0);
  });

  test('shows and hides the password', async () => {
    fakeServer();
    const { user } = openApp('/login');
    await user.click(await screen.findByRole('button', { name: 'Show password' }));
    expect(screen.getByLabelText('Password')).toHaveAttribute('type', 'text');
    await user.click(screen.getByRole('button', { name: 'Hide password' }));
    expect(screen.getByLabelText('Password')).toHaveAttribute('type', 'password');
  });
});

describe('logging in', () => {
  test('navigates home and stores the token', async () => {
    const response = loggedIn();
    const server = fakeServer({ login: () => response });
    const app = openApp('/login');
    await fillIn(app, 'amara@talentfield.io', 'long enough');
    expect(await screen.findByRole('heading', { name: 'Account Management Panel' })).toBeInTheDocument();
    expect(localStorage.getItem('endUserToken')).toBe(response.data.token);
    expect(server.requestsTo('login')[0]?.headers.get('x-xsrf-token')).toBe('proof');
  });

  test('shows a dismissible alert for wrong credentials and keeps the input', async () => {
    fakeServer({
      login: () => {
        throw apiFailure('identity.credentials_wrong');
      },
    });
    const app = openApp('/login');
    await fillIn(app, 'amara@talentfield.io', 'wrong password');
    expect(await screen.findByText(WRONG)).toBeInTheDocument();
    expect(screen.getByLabelText('Email')).toHaveValue('amara@talentfield.io');
    await app.user.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(screen.queryByText(WRONG)).not.toBeInTheDocument();
  });

  test("does not log in with a message other than 'login'", async () => {
    fakeServer({ login: () => ({ ...loggedIn(), message: 'not yet' as 'login' }) });
    const app = openApp('/login');
    await fillIn(app, 'amara@talentfield.io', 'long enough');
    await waitFor(() =>
      expect(screen.getByRole('button', { name: 'Log In' })).not.toHaveAttribute('aria-disabled'),
    );
    expect(address()).toBe('/login');
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });

  test('shows a message when the server is unreachable', async () => {
    fakeServer({
      login: () => {
        throw unreachable();
      },
    });
    const app = openApp('/login');
    await fillIn(app, 'amara@talentfield.io', 'long enough');
    expect(await screen.findByText(/We cannot reach the server/)).toBeInTheDocument();
  });

  test('returns to the page that required the log-in', async () => {
    fakeServer({ login: loggedIn });
    const app = openApp('/credits');
    await fillIn(app, 'amara@talentfield.io', 'long enough');
    expect(await screen.findByRole('heading', { name: 'Your Credits and Usage' })).toBeInTheDocument();
    expect(address()).toBe('/credits');
  });
});

describe('the login page after a sign-up', () => {
  test('fills in the email, and shows a dismissible message after half a second', async () => {
    fakeServer();
    holdTime();
    openApp('/login?signUp=success&email=amara%40talentfield.io&picture=');
    expect(await screen.findByLabelText('Email')).toHaveValue('amara@talentfield.io');
    expect(screen.queryByRole('status', { name: '' })?.textContent ?? '').not.toContain(REGISTERED);
    await vi.advanceTimersByTimeAsync(500);
    const dismiss = await screen.findByRole('button', { name: 'Dismiss' });
    expect(screen.getByText(REGISTERED)).toBeVisible();
    dismiss.click();
    await waitFor(() => expect(screen.queryByText(REGISTERED)).not.toBeInTheDocument());
  });

  test('shows the message with an email alone', async () => {
    fakeServer();
    openApp('/login?email=amara%40talentfield.io');
    expect(await screen.findByLabelText('Email')).toHaveValue('amara@talentfield.io');
    expect(await screen.findByRole('button', { name: 'Dismiss' })).toBeInTheDocument();
    expect(screen.getByText(REGISTERED)).toBeVisible();
  });

  test('shows no message without an email', async () => {
    fakeServer();
    openApp('/login?email=');
    await screen.findByLabelText('Email');
    expect(screen.queryByText(REGISTERED)).not.toBeInTheDocument();
  });

  test('shows no avatar for a picture that does not exist', async () => {
    fakeServer();
    openApp(`/login?picture=${PICTURE}`);
    fireEvent.error(await screen.findByRole('img', { name: 'Your profile picture' }));
    expect(screen.queryByRole('img')).not.toBeInTheDocument();
    expect(document.querySelector('.avatar')).toBeNull();
    expect(screen.getByText('Good to see you.')).toBeInTheDocument();
  });

  test('S8: shows a generated picture name from our own path', async () => {
    fakeServer();
    openApp(`/login?picture=${PICTURE}`);
    const picture = await screen.findByRole('img', { name: 'Your profile picture' });
    expect(picture).toHaveAttribute('src', `/profile_pictures/${PICTURE}`);
  });

  test.each(['//evil.test/a.jpg', '../../api/logout', 'javascript:alert(1)', `x/${PICTURE}`])(
    'S8: does not show %s as a picture',
    async (picture) => {
      fakeServer();
      openApp(`/login?picture=${encodeURIComponent(picture)}`);
      await screen.findByLabelText('Email');
      expect(screen.queryByRole('img')).not.toBeInTheDocument();
    },
  );
});

describe('C4: the page after the login is on our own origin', () => {
  test.each([
    '//evil.test',
    '/\\evil.test',
    'javascript:alert(1)',
    'https://evil.test',
    'https:evil.test',
    // Paths that become another host once their dots and spaces are resolved.
    '/..//evil.test',
    '/.//evil.test',
    '/%2e%2e//evil.test',
    '/a/../..//evil.test',
    '/\t/evil.test',
    ' //evil.test',
  ])('%j leads home', async (lastPage) => {
    sessionStorage.setItem('lastPage', lastPage);
    logInUser();
    fakeServer();
    openApp('/login');
    await screen.findByRole('heading', { name: 'Account Management Panel' });
    expect(address()).toBe('/');
  });
});

describe('the admin’s login', () => {
  test('shows a message for an empty submit', async () => {
    fakeServer();
    const { user } = openApp('/admin/login');
    await user.click(await screen.findByRole('button', { name: 'Log In' }));
    expect(await screen.findByText('Please provide valid email and password')).toBeInTheDocument();
  });

  test('shows a banner for wrong credentials', async () => {
    fakeServer({
      adminLogin: () => {
        throw apiFailure('identity.credentials_wrong');
      },
    });
    await fillIn(openApp('/admin/login'), 'root@shortlist.io', 'wrong password');
    expect(await screen.findByText(WRONG)).toBeInTheDocument();
  });

  test('navigates to the dashboard and stores the token', async () => {
    fakeServer({
      adminLogin: () => ({
        message: 'login success',
        credentials: { token: 'admin-fresh', expiresIn: 3_600 },
        role: 'owner',
      }),
    });
    await fillIn(openApp('/admin/login'), 'root@shortlist.io', 'right password');
    expect(await screen.findByRole('heading', { name: 'Dashboard' })).toBeInTheDocument();
    expect(localStorage.getItem('token')).toBe('admin-fresh');
  });

  test('redirects a logged-in admin to the dashboard', async () => {
    logInAdmin();
    fakeServer();
    openApp('/admin/login');
    expect(await screen.findByRole('heading', { name: 'Dashboard' })).toBeInTheDocument();
    expect(address()).toBe('/admin/');
  });

  test('leads to the dashboard, whichever page required it, and after a log-out', async () => {
    fakeServer({
      adminLogin: () => ({
        message: 'login success',
        credentials: { token: 'fresh', expiresIn: 3_600 },
        role: 'owner',
      }),
    });
    const opened = openApp('/admin/user-list?sort=name');
    await fillIn(opened, 'root@shortlist.io', 'right password');
    await waitFor(() => expect(address()).toBe('/admin/'));
    await opened.user.click(await screen.findByRole('button', { name: /Account menu|Super admin/ }));
    await opened.user.click(await screen.findByRole('menuitem', { name: 'Logout' }));
    await fillIn(opened, 'root@shortlist.io', 'right password');
    expect(await screen.findByRole('heading', { name: 'Dashboard' })).toBeInTheDocument();
    expect(address()).toBe('/admin/');
  });
});
