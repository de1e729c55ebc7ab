import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { apiFailure, fakeServer } from './fake-server.ts';
import { userView } from './fixtures.ts';
import { address, logInAdmin, logInUser, openApp } from './render-app.tsx';

const REGISTERED = 'You have successful registered, please login below';
const AFTER_SIGN_UP = '/login?signUp=success&email=amara%40talentfield.io&picture=';

const goTo = (path: string): void =>
  act(() => {
    window.history.pushState(null, '', path);
    fireEvent.popState(window);
  });

describe('a visitor of the login who is logged in', () => {
  test('returns to the last page that they visited', async () => {
    logInUser();
    fakeServer();
    openApp('/credits');
    await screen.findByRole('heading', { name: 'Your Credits and Usage' });
    goTo('/login');
    await screen.findByRole('heading', { name: 'Your Credits and Usage' });
    expect(address()).toBe('/credits');
  });

  test('sees no form while the session is being checked, and goes home', async () => {
    logInUser();
    let respond = (): void => undefined;
    const server = fakeServer({
      checkUser: () =>
        new Promise((resolve) => {
          respond = () => resolve({ remainingTime: 3_600, user: userView() });
        }),
    });
    openApp('/login');
    await waitFor(() => expect(server.requestsTo('checkUser')).toHaveLength(1));
    expect(screen.queryByLabelText('Email')).not.toBeInTheDocument();
    await act(() => Promise.resolve(respond()));
    await screen.findByRole('heading', { name: 'Account Management Panel' });
  });

  test('goes to the admin area as an admin', async () => {
    logInAdmin();
    fakeServer();
    openApp('/login');
    await screen.findByRole('heading', { name: 'Dashboard' });
    expect(address()).toBe('/admin/');
  });

  test.each(['user', 'admin'] as const)(
    'goes to the admin area with both sessions, when that of the %s is checked first',
    async (first) => {
      logInUser();
      logInAdmin();
      const checks = { user: Promise.withResolvers<void>(), admin: Promise.withResolvers<void>() };
      fakeServer({
        checkUser: async () => {
          await checks.user.promise;
          return { remainingTime: 3_600, user: userView() };
        },
        checkAdmin: async () => {
          await checks.admin.promise;
          return { remainingTime: 3_600, role: 'owner' };
        },
      });
      const { store } = openApp('/login');
      await act(() => Promise.resolve(checks[first].resolve()));
      await waitFor(() => {
        const { user, admin } = store.getState().sessions;
        expect((first === 'user' ? user : admin).isLoggedIn).toBe(true);
      });
      expect(['/login', '/admin/']).toContain(address());
      await act(() => Promise.resolve(checks[first === 'user' ? 'admin' : 'user'].resolve()));
      await screen.findByRole('heading', { name: 'Dashboard' });
      expect(address()).toBe('/admin/');
    },
  );

  test.each([['/credits'], [AFTER_SIGN_UP]])('can log in as a user after %s, as an admin', async (path) => {
    logInAdmin();
    fakeServer();
    openApp(path);
    expect(await screen.findByLabelText('Email')).toBeInTheDocument();
    expect(window.location.pathname).toBe('/login');
  });
});

describe('the login after a sign-up', () => {
  test('has the focus in the password, because the email is filled in', async () => {
    fakeServer({ signup: () => ({ message: 'created', data: userView() }) });
    openApp('/register');
    await screen.findByRole('heading', { name: 'Sign Up' });
    goTo(AFTER_SIGN_UP);
    await waitFor(() => expect(screen.getByLabelText('Password')).toHaveFocus());
  });

  test.each([
    ['of the server', 'a wrong password', /Incorrect login credentials/],
    ['of the form', 'short', 'Please provide valid email and password'],
  ])('shows an error %s instead of the success', async (_whose, password, message) => {
    fakeServer({
      login: () => {
        throw apiFailure('identity.credentials_wrong');
      },
    });
    const { user } = openApp(AFTER_SIGN_UP);
    await screen.findByRole('button', { name: 'Dismiss' });
    expect(screen.getByText(REGISTERED)).toBeVisible();
    await user.type(screen.getByLabelText('Password'), `${password}{Enter}`);
    expect(await screen.findByText(message)).toBeInTheDocument();
    expect(screen.queryByText(REGISTERED)).not.toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(screen.queryByText(REGISTERED)).not.toBeInTheDocument();
  });

  test('shows the message of the next sign-up after the first was dismissed', async () => {
    fakeServer();
    const { user } = openApp(AFTER_SIGN_UP);
    await user.click(await screen.findByRole('button', { name: 'Dismiss' }));
    expect(screen.queryByText(REGISTERED)).not.toBeInTheDocument();
    goTo('/login?signUp=success&email=ines%40talentfield.io&picture=');
    await screen.findByRole('button', { name: 'Dismiss' });
    expect(screen.getByText(REGISTERED)).toBeVisible();
    expect(screen.getByLabelText('Email')).toHaveValue('ines@talentfield.io');
  });
});
