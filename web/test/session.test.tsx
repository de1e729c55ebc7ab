import { act, screen, waitFor } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { days, inSeconds, minutes } from '@shortlist/contracts/durations';
import { fakeServer, apiFailure, unreachable } from './fake-server.ts';
import { premiumUser, userView } from './fixtures.ts';
import { holdTime } from './hold-time.ts';
import { sessions } from '../src/lib/state/sessions.ts';
import { address, fill, logInAdmin, logInUser, openApp } from './render-app.tsx';

const HOME = 'Account Management Panel';

const changeInOtherTab = (key: string, newValue: string | null): void => {
  if (newValue === null) localStorage.removeItem(key);
  else localStorage.setItem(key, newValue);
  act(() => {
    window.dispatchEvent(new StorageEvent('storage', { key, newValue }));
  });
};

describe('access', () => {
  test.each(['/', '/profile', '/payments', '/subscription', '/credits'])(
    '%s redirects to the login without a session',
    async (path) => {
      fakeServer();
      openApp(path);
      await screen.findByRole('heading', { name: 'Log In' });
      expect(address()).toBe('/login');
    },
  );

  test.each(['/admin/', '/admin/user-list', '/admin/edit-user?user_id=1', '/admin/reports'])(
    '%s redirects to the admin’s login without a session',
    async (path) => {
      fakeServer();
      openApp(path);
      await screen.findByRole('heading', { name: 'Admin Log In' });
      expect(address()).toBe('/admin/login');
    },
  );

  test('an end user’s token does not open the admin area', async () => {
    logInUser();
    fakeServer();
    openApp('/admin/user-list');
    await screen.findByRole('heading', { name: 'Admin Log In' });
  });

  test.each([
    ['/register', 'Sign Up'],
    ['/payments/success?xsl=cs_1', 'Sign in to see your payment'],
    ['/payments/cancel', 'Payment canceled'],
  ])('%s needs no log-in', async (path, heading) => {
    fakeServer();
    openApp(path);
    expect(await screen.findByRole('heading', { name: heading })).toBeInTheDocument();
  });
});

describe('the stored token at the start', () => {
  test('opens the page when the server accepts it', async () => {
    const token = logInUser();
    const server = fakeServer();
    openApp('/');
    expect(await screen.findByRole('heading', { name: HOME })).toBeInTheDocument();
    expect(server.requestsTo('checkUser')[0]?.token).toBe(token);
  });

  test('is removed when the server rejects it, and the login reports the end of the session', async () => {
    logInUser();
    fakeServer({
      checkUser: () => {
        throw apiFailure('session.missing');
      },
    });
    openApp('/credits');
    expect(await screen.findByText('Your session has ended. Please sign in again.')).toBeInTheDocument();
    expect(localStorage.getItem('endUserToken')).toBeNull();
  });

  test('is kept while the server is unreachable, and Retry opens the page', async () => {
    const token = logInUser();
    const server = fakeServer({
      checkUser: () => {
        throw unreachable();
      },
    });
    const { user } = openApp('/');
    await screen.findByText('We cannot reach the server');
    expect(localStorage.getItem('endUserToken')).toBe(token);
    server.use({ checkUser: () => ({ remainingTime: 3_600, user: userView() }) });
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('heading', { name: HOME })).toBeInTheDocument();
  });
});

describe('the end of a session', () => {
  test('a log-out removes the token, notifies the server and leads to the login', async () => {
    const token = logInUser();
    const server = fakeServer();
    const { user } = openApp('/');
    await user.click(await screen.findByRole('button', { name: /^Amara Okafor .*Account menu$/ }));
    await user.click(screen.getByRole('menuitem', { name: 'Logout' }));
    await screen.findByRole('heading', { name: 'Log In' });
    expect(localStorage.getItem('endUserToken')).toBeNull();
    await waitFor(() => expect(server.requestsTo('logout')[0]?.token).toBe(token));
  });

  test('an admin’s log-out leads to the admin’s login', async () => {
    logInAdmin();
    fakeServer();
    const { user } = openApp('/admin/reports');
    await user.click(await screen.findByRole('button', { name: /Account menu$/ }));
    await user.click(screen.getByRole('menuitem', { name: 'Logout' }));
    await screen.findByRole('heading', { name: 'Admin Log In' });
    expect(localStorage.getItem('token')).toBeNull();
  });

  test('a 401 leads to the login, which returns to the page', async () => {
    logInUser();
    fakeServer({
      credits: () => {
        throw apiFailure('session.missing');
      },
      login: () => ({ message: 'login', data: { token: 'again', user: userView(), remainingTime: 60 } }),
    });
    const { user } = openApp('/credits');
    await screen.findByText('Your session has ended. Please sign in again.');
    fakeServer({
      login: () => ({ message: 'login', data: { token: 'again', user: userView(), remainingTime: 60 } }),
    });
    await fill(user, screen.getByLabelText('Email'), 'amara@talentfield.io');
    await fill(user, screen.getByLabelText('Password'), 'long enough');
    await user.click(screen.getByRole('button', { name: 'Log In' }));
    await screen.findByRole('heading', { name: 'Your Credits and Usage' });
  });

  test('a log-out in another tab logs out this one', async () => {
    logInUser();
    fakeServer();
    openApp('/');
    await screen.findByRole('heading', { name: HOME });
    changeInOtherTab('endUserToken', null);
    await screen.findByRole('heading', { name: 'Log In' });
  });

  test('a log-in in another tab logs in this one', async () => {
    fakeServer();
    openApp('/login');
    await screen.findByRole('heading', { name: 'Log In' });
    changeInOtherTab('endUserToken', 'from-another-tab');
    await screen.findByRole('heading', { name: HOME });
    expect(localStorage.getItem('endUserToken')).toBe('from-another-tab');
  });

  test('B2: a response after the log-out does not restore the session', async () => {
    logInUser();
    let respond = (): void => undefined;
    const server = fakeServer();
    const { store } = openApp('/');
    await screen.findByRole('heading', { name: HOME });
    server.use({
      checkUser: () =>
        new Promise((resolve) => {
          respond = () => resolve({ remainingTime: 3_600, user: userView() });
        }),
    });
    const token = store.getState().sessions.user.token ?? '';
    store.dispatch(sessions.checkRequested('user', token));
    act(() => void store.dispatch(sessions.logoutRequested('user')));
    respond();
    await screen.findByRole('heading', { name: 'Log In' });
    expect(store.getState().sessions.user.isLoggedIn).toBe(false);
    expect(localStorage.getItem('endUserToken')).toBeNull();
  });
});

describe('B4: the remaining time of a session', () => {
  test('logs out by itself when it is over', async () => {
    holdTime();
    logInUser();
    fakeServer({ checkUser: () => ({ remainingTime: 30, user: userView() }) });
    openApp('/');
    await screen.findByRole('heading', { name: HOME });
    await act(() => vi.advanceTimersByTimeAsync(25_000));
    expect(address()).toBe('/');
    await act(() => vi.advanceTimersByTimeAsync(10_000));
    await screen.findByText('Your session has ended. Please sign in again.');
    expect(localStorage.getItem('endUserToken')).toBeNull();
  });

  test('may exceed the longest timer without ending at once', async () => {
    holdTime();
    logInUser();
    fakeServer({ checkUser: () => ({ remainingTime: inSeconds(days(60)), user: userView() }) });
    openApp('/');
    await screen.findByRole('heading', { name: HOME });
    await act(() => vi.advanceTimersByTimeAsync(minutes(5)));
    expect(screen.getByRole('heading', { name: HOME })).toBeInTheDocument();
  });
});

describe('the shell', () => {
  test('shows the user and the plan, and links to every page', async () => {
    logInUser();
    fakeServer({ checkUser: () => ({ remainingTime: 3_600, user: premiumUser() }) });
    openApp('/');
    expect(await screen.findByText('Premium User')).toBeInTheDocument();
    const links = screen.getByRole('navigation', { name: 'Account' });
    for (const label of [
      'Home',
      'Personal Info',
      'Subscription',
      'Stripe Billing Portal',
      'Credits & Usage',
      'About Us (opens in a new tab)',
      'Contact & Support (opens in a new tab)',
    ])
      expect([...links.querySelectorAll('.nav a')].map((link) => link.textContent?.trim())).toContain(
        label.replace(' (', '('),
      );
    expect(screen.getByRole('link', { name: 'Home' })).toHaveAttribute('aria-current', 'page');
    expect(screen.getByText('© 2025 Shortlist')).toBeInTheDocument();
  });

  test('shows a free user as Free User', async () => {
    logInUser();
    fakeServer();
    openApp('/');
    expect(await screen.findByText('Free User')).toBeInTheDocument();
  });

  test('shows a toast with the user’s first name and credits after three seconds', async () => {
    holdTime();
    logInUser();
    fakeServer();
    openApp('/');
    await screen.findByRole('heading', { name: HOME });
    await act(() => vi.advanceTimersByTimeAsync(2_000));
    expect(screen.queryByText(/Welcome back/)).not.toBeInTheDocument();
    await act(() => vi.advanceTimersByTimeAsync(1_200));
    expect(screen.getByText('Welcome back, Amara. 14 credits left.')).toBeInTheDocument();
  });

  test('shows a button to the top after 250 pixels', async () => {
    logInUser();
    fakeServer();
    openApp('/');
    await screen.findByRole('heading', { name: HOME });
    Object.assign(window, { scrollY: 251 });
    act(() => void window.dispatchEvent(new Event('scroll')));
    expect(screen.getByRole('button', { name: 'Back to top' })).toBeInTheDocument();
    Object.assign(window, { scrollY: 0 });
  });

  test('moves the focus to the heading of the next page', async () => {
    logInUser();
    fakeServer();
    const { user } = openApp('/');
    await user.click(await screen.findByRole('link', { name: 'Credits & Usage' }));
    expect(await screen.findByRole('heading', { name: 'Your Credits and Usage' })).toHaveFocus();
    expect(document.title).toBe('Your Credits and Usage · Shortlist');
  });

  test('shows a page for an unknown address', async () => {
    logInUser();
    fakeServer();
    openApp('/nowhere');
    expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeInTheDocument();
  });
});
