import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeServer } from './fake-server.ts';
import { logInUser, openApp } from './render-app.tsx';

const openSidebar = async (path: string) => {
  logInUser();
  fakeServer();
  openApp(path);
  return within(await screen.findByRole('navigation', { name: 'Account' }));
};

test('the sidebar leads to every path of the specification', async () => {
  const sidebar = await openSidebar('/');
  for (const [name, href] of [
    ['Home', '/'],
    ['Personal Info', '/profile'],
    ['Subscription', '/subscription'],
    ['Stripe Billing Portal', '/subscription'],
    ['Credits & Usage', '/credits'],
    ['Security', '/security'],
    ['Your data', '/privacy'],
  ] as const)
    expect(sidebar.getByRole('link', { name })).toHaveAttribute('href', href);
});

test.each([
  ['/', 'Home'],
  ['/profile', 'Personal Info'],
  ['/payments', 'Subscription'],
  ['/payments/success', 'Subscription'],
  ['/payments/cancel', 'Subscription'],
  ['/subscription', 'Subscription'],
  ['/credits', 'Credits & Usage'],
  ['/security', 'Security'],
  ['/privacy', 'Your data'],
])('on %s the sidebar marks %s alone', async (path, name) => {
  const sidebar = await openSidebar(path);
  expect(sidebar.getAllByRole('link', { current: 'page' })).toEqual([sidebar.getByRole('link', { name })]);
});
