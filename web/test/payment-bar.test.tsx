import { act, screen, waitFor } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { apiFailure, fakeServer } from './fake-server.ts';
import { subscriptionView } from './fixtures.ts';
import { VIEWS } from './subscription-views.ts';
import { logInUser, openApp } from './render-app.tsx';

const PLACE = 'paymentBarPlace';
const place = () => document.querySelector<HTMLElement>('.frame-bar[aria-hidden]');

/** Opens the home page while billing does not respond. */
const openWaiting = async () => {
  const reply = Promise.withResolvers<{ data: ReturnType<typeof subscriptionView> }>();
  logInUser();
  fakeServer({ subscription: () => reply.promise });
  const app = openApp('/');
  await screen.findByRole('heading', { name: 'Account Management Panel' });
  return { ...app, reply };
};

describe('the place of the bar about a payment', () => {
  test('is kept from the last page until billing responds, and the bar takes it', async () => {
    localStorage.setItem(PLACE, `${window.innerWidth} 84`);
    const { reply } = await openWaiting();
    expect(place()).toHaveStyle({ blockSize: '84px' });
    await act(() => Promise.resolve(reply.resolve({ data: subscriptionView(VIEWS.past_due_paid) })));
    await waitFor(() => expect(place()).not.toBeInTheDocument());
    await waitFor(() => expect(document.querySelector('.frame-bar strong')).toBeVisible());
  });

  test('is given up where no payment is in trouble any more', async () => {
    localStorage.setItem(PLACE, `${window.innerWidth} 84`);
    const { reply } = await openWaiting();
    await act(() => Promise.resolve(reply.resolve({ data: subscriptionView() })));
    await waitFor(() => expect(localStorage.getItem(PLACE)).toBeNull());
    expect(place()).not.toBeInTheDocument();
  });

  test('is given up while billing fails', async () => {
    localStorage.setItem(PLACE, `${window.innerWidth} 84`);
    const { reply } = await openWaiting();
    await act(() => Promise.resolve(reply.reject(apiFailure('service.unavailable'))));
    await waitFor(() => expect(place()).not.toBeInTheDocument());
  });

  test('is none in a window of another width', async () => {
    localStorage.setItem(PLACE, `${window.innerWidth + 1} 84`);
    await openWaiting();
    expect(place()).not.toBeInTheDocument();
  });

  test('ends with the session', async () => {
    localStorage.setItem(PLACE, `${window.innerWidth} 84`);
    const { user } = await openWaiting();
    await user.click(screen.getByRole('button', { name: /Account menu/ }));
    await user.click(screen.getByRole('menuitem', { name: 'Logout' }));
    await waitFor(() => expect(localStorage.getItem(PLACE)).toBeNull());
  });
});
