import { act, screen, waitFor, within } from '@testing-library/react';
import { mutate } from 'swr';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { fakeServer } from './fake-server.ts';
import { premiumUser } from './fixtures.ts';
import { logInAdmin, logInUser, openApp } from './render-app.tsx';

/** The code of these pages arrives when a test lets it. */
const { credits, security, userList } = vi.hoisted(() => {
  // Another file of this worker may have loaded the pages.
  vi.resetModules();
  const withhold = () => ({ ...Promise.withResolvers<void>(), requests: 0 });
  return { credits: withhold(), security: withhold(), userList: withhold() };
});

vi.mock('../src/pages/credits.tsx', async (original) => {
  credits.requests += 1;
  await credits.promise;
  return await original();
});

vi.mock('../src/pages/security.tsx', async (original) => {
  security.requests += 1;
  return await original();
});

vi.mock('../src/pages/admin/user-lists.tsx', async (original) => {
  userList.requests += 1;
  await userList.promise;
  return await original();
});

const premium = { checkUser: () => ({ remainingTime: 3_600, user: premiumUser() }) };

const sidebar = () => within(screen.getByRole('navigation', { name: 'Account' }));
const bar = () => document.querySelector('.navigation-bar');

/** Returns the page that was on the screen when the bar first appeared: on a busy machine it has gone again by the next line. */
const watchBar = () => {
  let page: string | null = null;
  const observer = new MutationObserver(() => {
    if (bar() !== null) page ??= document.querySelector('h1')?.textContent ?? null;
  });
  observer.observe(document.body, { childList: true, subtree: true });
  onTestFinished(() => observer.disconnect());
  return () => page;
};

describe('a navigation to a page whose code is on its way', () => {
  test('is seen at once, loads while the pointer rests on its link, and shows a placeholder when it is late', async () => {
    logInUser();
    fakeServer(premium);
    const { user } = openApp('/');
    await screen.findByRole('heading', { name: 'Account Management Panel' });
    const entry = sidebar().getByRole('link', { name: 'Credits & Usage' });

    await user.hover(entry);
    await waitFor(() => expect(credits.requests).toBe(1));

    const pageUnderBar = watchBar();
    await user.click(entry);
    expect(entry).toHaveAttribute('aria-current', 'page');
    expect(sidebar().getByRole('link', { name: 'Home' })).not.toHaveAttribute('aria-current');
    expect(pageUnderBar()).toBe('Account Management Panel');

    expect(await screen.findByText('Loading the page')).toBeInTheDocument();
    expect(screen.getByText('Your Credits and Usage')).toBeVisible();
    expect(screen.queryByRole('heading', { name: 'Account Management Panel' })).not.toBeInTheDocument();

    act(() => credits.resolve());
    expect(await screen.findByRole('heading', { name: 'Your Credits and Usage' })).toHaveFocus();
    expect(bar()).not.toBeInTheDocument();
  });
});

test('the code of a page loads while its session is being checked', async () => {
  logInUser();
  const check = Promise.withResolvers<void>();
  fakeServer({ checkUser: () => check.promise.then(premium.checkUser) });
  openApp('/security');
  await waitFor(() => expect(security.requests).toBe(1));
  expect(screen.queryByRole('button', { name: 'Change password' })).not.toBeInTheDocument();
  act(() => check.resolve());
  expect(await screen.findByRole('button', { name: 'Change password' })).toBeInTheDocument();
});

test('a redirect to a page whose code is on its way happens once', async () => {
  logInAdmin();
  fakeServer();
  const entries = vi.spyOn(window.history, 'replaceState');
  openApp('/admin/edit-user');
  await waitFor(() => expect(userList.requests).toBe(1));
  await new Promise((resolve) => setTimeout(resolve, 100)); // in which a loop would fill the browser's limit of entries
  expect(entries.mock.calls.filter(([, , url]) => url === '/admin/user-list').length).toBeLessThanOrEqual(1);
  act(() => userList.resolve());
  await screen.findByRole('heading', { name: 'All Users' });
});

describe('the data of a page', () => {
  // The app was loaded anew for this file: the code of the page is not what takes time here.
  beforeAll(() => import('../src/pages/security.tsx'));

  test('is read while the pointer rests on its link, once, and is there when the page opens', async () => {
    logInUser();
    credits.resolve();
    // What another page has read and lost again is read ahead as well.
    await mutate(['security', localStorage.getItem('endUserToken'), '/api/sign-ins', {}], undefined);
    let reads = 0;
    fakeServer({
      ...premium,
      listSignIns: () => {
        reads += 1;
        return { data: [] };
      },
    });
    const { user } = openApp('/');
    await screen.findByRole('heading', { name: 'Account Management Panel' });
    const entry = sidebar().getByRole('link', { name: 'Security' });
    await user.hover(entry);
    await waitFor(() => expect(reads).toBe(1));
    await user.unhover(entry);
    await user.hover(entry);
    await new Promise((resolve) => setTimeout(resolve, 200)); // longer than a pointer has to rest
    expect(reads).toBe(1);
    await user.click(entry);
    await screen.findByRole('heading', { level: 1, name: 'Security' });
    expect(screen.queryByText('Loading your security settings')).not.toBeInTheDocument();
  });
});
