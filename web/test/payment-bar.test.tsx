import { act, screen, waitFor } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { apiFailure, fakeServer } from './fake-server.ts';
import { premiumUser, subscriptionView } from './fixtures.ts';
import { VIEWS } from './subscription-views.ts';
import { logInUser, openApp } from './render-app.tsx';

const bar = () => document.querySelector('.frame-bar strong');

/** Opens the home page with a subscription in trouble, or none, in the reply of the session's check; billing waits to respond. */
const openWaiting = async (inTrouble: boolean) => {
  const reply = Promise.withResolvers<{ data: ReturnType<typeof subscriptionView> }>();
  const subscription = subscriptionView(VIEWS.past_due_paid);
  logInUser();
  fakeServer({
    checkUser: () => ({ remainingTime: 3_600, user: premiumUser(), ...(inTrouble ? { subscription } : {}) }),
    subscription: () => reply.promise,
  });
  openApp('/');
  await screen.findByRole('heading', { name: 'Account Management Panel' });
  return reply;
};

describe('the bar about a payment in trouble', () => {
  test('is part of the first page, before the subscription has been read', async () => {
    await openWaiting(true);
    expect(bar()).toBeVisible();
  });

  test('comes with the subscription where the trouble has begun since', async () => {
    const reply = await openWaiting(false);
    expect(bar()).not.toBeInTheDocument();
    await act(() => Promise.resolve(reply.resolve({ data: subscriptionView(VIEWS.past_due_paid) })));
    await waitFor(() => expect(bar()).toBeVisible());
  });

  test('goes with the subscription where the payment has gone through', async () => {
    const reply = await openWaiting(true);
    await act(() => Promise.resolve(reply.resolve({ data: subscriptionView() })));
    await waitFor(() => expect(bar()).not.toBeInTheDocument());
  });

  test('stays while billing fails', async () => {
    const reply = await openWaiting(true);
    await act(() => Promise.resolve(reply.reject(apiFailure('service.unavailable'))));
    await screen.findByText(/Your tools/);
    expect(bar()).toBeVisible();
  });
});
