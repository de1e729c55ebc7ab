import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { apiFailure, fakeServer, unreachable } from './fake-server.ts';
import { premiumUser, userView } from './fixtures.ts';
import { holdTime } from './hold-time.ts';
import { sessions } from '../src/lib/state/sessions.ts';
import { closeApp, fill, logInUser, openApp } from './render-app.tsx';

describe('public pages with a stored token', () => {
  test.each([
    ['/payments/cancel', 'Payment canceled'],
    ['/payments/success', 'Payment'],
  ])('%s has the shell before the token is checked, and keeps it', async (path, heading) => {
    logInUser();
    let respond = (): void => undefined;
    fakeServer({
      checkUser: () =>
        new Promise((resolve) => {
          respond = () => resolve({ remainingTime: 3_600, user: userView() });
        }),
    });
    openApp(path);
    const sidebar = await screen.findByRole('navigation', { name: 'Account' });
    expect(screen.queryByRole('heading', { name: heading })).not.toBeInTheDocument();
    await act(() => Promise.resolve(respond()));
    expect(await screen.findByRole('heading', { name: heading })).toBeInTheDocument();
    expect(screen.getByRole('navigation', { name: 'Account' })).toBe(sidebar);
  });

  test('say that the device is offline when the browser knows it', async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    logInUser();
    fakeServer({
      checkUser: () => {
        throw unreachable();
      },
    });
    openApp('/credits');
    expect(await screen.findByRole('heading', { name: 'Your device is offline' })).toBeVisible();
  });

  test('report an unreachable server, and Retry continues', async () => {
    logInUser();
    const server = fakeServer({
      checkUser: () => {
        throw unreachable();
      },
      confirmPayment: () => ({ message: 'paid', data: premiumUser() }),
    });
    const { user } = openApp('/payments/success?xsl=cs_1');
    expect(await screen.findByText('We cannot reach the server')).toBeInTheDocument();
    server.use({ checkUser: () => ({ remainingTime: 3_600, user: userView() }) });
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('Thank you for your purchase')).toBeInTheDocument();
  });
});

const goTo = (path: string): void =>
  act(() => {
    window.history.pushState(null, '', path);
    window.dispatchEvent(new PopStateEvent('popstate'));
  });

test('the toast is not repeated after a public page', async () => {
  holdTime();
  logInUser();
  fakeServer();
  openApp('/');
  await screen.findByRole('heading', { name: 'Account Management Panel' });
  await act(() => vi.advanceTimersByTimeAsync(3_200));
  expect(screen.getByText(/Welcome back/)).toBeInTheDocument();
  await act(() => vi.advanceTimersByTimeAsync(6_500));
  expect(screen.queryByText(/Welcome back/)).not.toBeInTheDocument();
  goTo('/payments/cancel');
  await screen.findByRole('heading', { name: 'Payment canceled' });
  await act(() => vi.advanceTimersByTimeAsync(3_500));
  expect(screen.queryByText(/Welcome back/)).not.toBeInTheDocument();
});

test('the toast is shown once for each log-in, not at each load of the page', async () => {
  holdTime();
  const token = logInUser();
  const server = fakeServer({
    login: () => ({
      message: 'login',
      data: { token: `${token}-next`, user: userView(), remainingTime: 60 },
    }),
  });
  const open = async () => {
    const app = openApp('/');
    await screen.findByRole('heading', { name: 'Account Management Panel' });
    await act(() => vi.advanceTimersByTimeAsync(3_200));
    return app;
  };
  await open();
  expect(await screen.findByText('Welcome back, Amara. 14 credits left.')).toBeInTheDocument();
  closeApp();
  const { store } = await open();
  expect(screen.queryByText(/Welcome back/)).not.toBeInTheDocument();
  act(() => void store.dispatch(sessions.logoutRequested('user')));
  await waitFor(() => expect(server.requestsTo('logout')).toHaveLength(1));
  closeApp();
  const { user } = openApp('/login');
  await fill(user, await screen.findByLabelText('Email'), 'amara@talentfield.io');
  await user.type(screen.getByLabelText('Password'), 'long enough{Enter}');
  await screen.findByRole('heading', { name: 'Account Management Panel' });
  await act(() => vi.advanceTimersByTimeAsync(3_200));
  expect(await screen.findByText(/Welcome back, Amara/)).toBeInTheDocument();
});

test('the toast does not welcome back who has just signed up', async () => {
  holdTime();
  logInUser();
  const user = userView({ createdAt: new Date().toISOString() });
  fakeServer({ checkUser: () => ({ remainingTime: 3_600, user }) });
  openApp('/');
  await screen.findByRole('heading', { name: 'Account Management Panel' });
  await act(() => vi.advanceTimersByTimeAsync(3_200));
  expect(screen.getByText('Welcome, Amara. 14 credits left.')).toBeInTheDocument();
});

test('the toast says nothing about credits that cannot be loaded', async () => {
  holdTime();
  logInUser();
  fakeServer({
    credits: () => {
      throw apiFailure('service.unavailable');
    },
  });
  openApp('/');
  await screen.findByRole('heading', { name: 'Account Management Panel' });
  await act(() => vi.advanceTimersByTimeAsync(3_200));
  expect(screen.getByText('Welcome back, Amara.')).toBeInTheDocument();
});

test('the drawer closes when the window becomes wide enough for the sidebar', async () => {
  const wide = Object.assign(new EventTarget(), { matches: false });
  const narrow = Object.assign(new EventTarget(), { matches: false });
  vi.stubGlobal('matchMedia', (media: string) => (media === '(min-width: 1025px)' ? wide : narrow));
  logInUser();
  fakeServer();
  const { user } = openApp('/');
  await user.click(await screen.findByRole('button', { name: 'Menu' }));
  expect(screen.getByRole('dialog', { name: 'Menu' })).toBeInTheDocument();
  wide.matches = true;
  act(() => void wide.dispatchEvent(Object.assign(new Event('change'), { matches: true })));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(document.documentElement.style.overflow).toBe('');
});

test('the top bar toggles the narrow sidebar and keeps the boxed type', async () => {
  localStorage.setItem('layoutSettings', JSON.stringify({ sidebarTypes: ['hover', 'boxed'] }));
  logInUser();
  fakeServer();
  const { user } = openApp('/');
  const toggle = await screen.findByRole('button', { name: 'Narrow sidebar' });
  expect(toggle).toHaveAttribute('aria-pressed', 'true');
  await user.click(toggle);
  expect(toggle).toHaveAttribute('aria-pressed', 'false');
  expect(document.documentElement).not.toHaveAttribute('data-sidebar-hover');
  expect(document.documentElement).toHaveAttribute('data-sidebar-boxed');
  await user.click(toggle);
  expect(document.documentElement).toHaveAttribute('data-sidebar-mini');
});

test('the drawer has a button that closes it', async () => {
  logInUser();
  fakeServer();
  const { user } = openApp('/');
  const menu = await screen.findByRole('button', { name: 'Menu' });
  await user.click(menu);
  await user.click(
    within(screen.getByRole('dialog', { name: 'Menu' })).getByRole('button', { name: 'Close' }),
  );
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  expect(menu).toHaveFocus();
});

test('a toast stays while it has the focus', async () => {
  holdTime();
  logInUser();
  fakeServer();
  openApp('/');
  await screen.findByRole('heading', { name: 'Account Management Panel' });
  await act(() => vi.advanceTimersByTimeAsync(3_200));
  const dismiss = screen.getByRole('button', { name: 'Dismiss message' });
  act(() => dismiss.focus());
  await act(() => vi.advanceTimersByTimeAsync(7_000));
  expect(screen.getByText(/Welcome back/)).toBeInTheDocument();
  act(() => dismiss.blur());
  await act(() => vi.advanceTimersByTimeAsync(6_500));
  expect(screen.queryByText(/Welcome back/)).not.toBeInTheDocument();
});
