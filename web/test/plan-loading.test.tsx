import { act, fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { fakeServer } from './fake-server.ts';
import { premiumUser, subscriptionView } from './fixtures.ts';
import { logInUser, openApp } from './render-app.tsx';

const LOADING = 'Loading Your Payment Information Please Wait';
const ACTIVE = 'Your monthly subscription is currently paid for and active';

/** A response or a file that arrives when the test says so. */
const pending = () => {
  let arrive = (): void => undefined;
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  return { arrived, arrive: () => act(async () => void (await Promise.resolve(arrive()))) };
};

const code = vi.hoisted(() => {
  // The page must not be loaded yet.
  vi.resetModules();
  return { loaded: Promise.resolve() };
});
vi.mock('../src/pages/payments.tsx', async (original) => {
  const page = await original();
  return { ...(page as object), default: (await code.loaded, (page as { default: unknown }).default) };
});

const answers = { user: premiumUser(), subscription: subscriptionView({ plan: 'premium', renews: true }) };

const goTo = (path: string): void =>
  act(() => {
    window.history.pushState(null, '', path);
    fireEvent.popState(window);
  });

const expectLoading = (): void => {
  expect(screen.getByRole('heading', { name: 'Subscription Status' })).toBeVisible();
  expect(screen.getByText(LOADING, { selector: 'p' })).toBeVisible();
  expect(screen.queryByText(ACTIVE)).not.toBeInTheDocument();
};

test('Subscription Status loads from the session’s check until billing has responded', async () => {
  const session = pending();
  const billing = pending();
  const file = pending();
  code.loaded = file.arrived;
  logInUser();
  fakeServer({
    checkUser: async () => {
      await session.arrived;
      return { remainingTime: 3_600, user: answers.user };
    },
    subscription: async () => {
      await billing.arrived;
      return { data: answers.subscription };
    },
  });
  openApp('/payments');
  await screen.findByRole('navigation', { name: 'Account' });
  expectLoading();
  await session.arrive();
  expect(await screen.findByText('Premium User')).toBeInTheDocument();
  expectLoading();
  await file.arrive();
  await vi.waitFor(() => expect(document.title).toContain('Subscription Status'));
  expectLoading();
  await billing.arrive();
  expect(await screen.findByText(ACTIVE)).toBeInTheDocument();
  expect(screen.queryByText(LOADING)).not.toBeInTheDocument();
});

test('Subscription Status loads after a navigation until billing has responded', async () => {
  const billing = pending();
  logInUser();
  fakeServer({
    checkUser: () => ({ remainingTime: 3_600, user: answers.user }),
    subscription: async () => {
      await billing.arrived;
      return { data: answers.subscription };
    },
  });
  openApp('/');
  await screen.findByRole('heading', { name: 'Account Management Panel' });
  goTo('/payments');
  await screen.findByRole('heading', { name: 'Subscription Status' });
  expectLoading();
  await billing.arrive();
  expect(await screen.findByText(ACTIVE)).toBeInTheDocument();
});
