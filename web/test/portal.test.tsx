import { act, screen, waitFor } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { minutes } from '@shortlist/contracts/durations';
import { fakeServer, apiFailure, unreachable } from './fake-server.ts';
import { premiumSubscription, premiumUser } from './fixtures.ts';
import { holdTime } from './hold-time.ts';
import { logInUser, openApp } from './render-app.tsx';

const LOADING = 'Loading your Stripe billing portal now';
const FAILED = 'The billing portal could not be opened';

const premium = { checkUser: () => ({ remainingTime: 3_600, user: premiumUser() }) };

/** The page has been reloaded once. */
const markReloaded = (): void => sessionStorage.setItem('portalReloaded', 'true');

describe('Stripe Billing Portal', () => {
  test('forwards a billing customer to the portal', async () => {
    logInUser();
    const server = fakeServer({ ...premium, billingPortal: () => ({ url: 'https://portal.test/p_1' }) });
    const { visited } = openApp('/subscription');
    expect(await screen.findByRole('heading', { name: 'Stripe Billing Portal' })).toBeInTheDocument();
    expect(screen.getAllByText(LOADING).length).toBeGreaterThan(0);
    await waitFor(() => expect(visited).toEqual(['https://portal.test/p_1']));
    expect(server.requestsTo('billingPortal')[0]?.params['id']).toBe('cus_1');
  });

  test('shows the offer and leads to the payments without a billing customer', async () => {
    logInUser();
    fakeServer();
    openApp('/subscription');
    expect(await screen.findByText('You are currently un-subscribed')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Get Started' })).toBeInTheDocument();
    const link = screen.getByRole('link', { name: 'Go to Subscription Status' });
    expect(link).toHaveAttribute('href', '/payments');
  });

  test('says what a granted plan is, and never that its user is un-subscribed', async () => {
    logInUser();
    fakeServer({
      checkUser: () => ({ remainingTime: 3_600, user: premiumUser({ stripe_customer_id: null }) }),
      subscription: () => ({
        data: premiumSubscription({
          continuation: 'granted',
          customerId: null,
          lastPayment: null,
          renews: false,
        }),
      }),
    });
    openApp('/subscription');
    expect(await screen.findByText('You have Premium, granted by our team')).toBeInTheDocument();
    expect(screen.queryByText(/un-subscribed/)).not.toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Go to Subscription Status' })).toHaveAttribute(
      'href',
      '/payments',
    );
  });

  test('reloads a page that is still loading after ten seconds', async () => {
    holdTime();
    logInUser();
    fakeServer({ ...premium, billingPortal: () => new Promise(() => undefined) });
    const { visited } = openApp('/subscription');
    await screen.findByRole('heading', { name: 'Stripe Billing Portal' });
    await act(() => vi.advanceTimersByTimeAsync(9_000));
    expect(visited).toEqual([]);
    await act(() => vi.advanceTimersByTimeAsync(1_500));
    expect(visited).toEqual(['reload']);
  });

  test('shows an error when a reload has not helped, and Retry opens the portal', async () => {
    markReloaded();
    logInUser();
    const server = fakeServer({
      ...premium,
      billingPortal: () => {
        throw apiFailure('billing.provider_unavailable');
      },
    });
    const { user, visited } = openApp('/subscription');
    await screen.findByText(FAILED);
    server.use({ billingPortal: () => ({ url: 'https://portal.test/p_2' }) });
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(visited).toEqual(['https://portal.test/p_2']));
  });

  test('shows that it loads again after Retry', async () => {
    markReloaded();
    logInUser();
    const server = fakeServer({
      ...premium,
      billingPortal: () => {
        throw apiFailure('billing.provider_unavailable');
      },
    });
    const { user } = openApp('/subscription');
    await screen.findByText(FAILED);
    server.use({ billingPortal: () => new Promise(() => undefined) });
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText(LOADING)).toBeInTheDocument();
    expect(screen.queryByText(FAILED)).not.toBeInTheDocument();
  });

  test.each([
    ['after a while', () => vi.advanceTimersByTimeAsync(2_500)],
    ['when the network is back', () => Promise.resolve(window.dispatchEvent(new Event('online')))],
  ])('retries a transient failure by itself %s', async (_when, pass) => {
    holdTime();
    markReloaded();
    logInUser();
    const server = fakeServer({
      ...premium,
      billingPortal: () => {
        throw unreachable();
      },
    });
    const { visited } = openApp('/subscription');
    await screen.findByText(FAILED);
    expect(screen.getByRole('button', { name: 'Try again' })).toBeEnabled();
    server.use({ billingPortal: () => ({ url: 'https://portal.test/p_3' }) });
    await act(() => vi.advanceTimersByTimeAsync(100));
    await act(async () => void (await pass()));
    await waitFor(() => expect(visited).toEqual(['https://portal.test/p_3']));
  });

  test('does not retry a refusal', async () => {
    holdTime();
    logInUser();
    const server = fakeServer({
      ...premium,
      billingPortal: () => {
        throw apiFailure('billing.customer_not_found');
      },
    });
    openApp('/subscription');
    await screen.findByText(FAILED);
    await act(() => vi.advanceTimersByTimeAsync(minutes(1)));
    expect(server.requestsTo('billingPortal')).toHaveLength(1);
  });

  test.each([
    ['the provider is unavailable', () => apiFailure('billing.provider_unavailable')],
    ['a process on the way takes too long', () => apiFailure('service.timeout')],
  ])('keeps loading while %s, and reloads after ten seconds', async (_case, failure) => {
    holdTime();
    logInUser();
    const server = fakeServer({
      ...premium,
      billingPortal: () => {
        throw failure();
      },
    });
    const { visited } = openApp('/subscription');
    await screen.findByText(LOADING);
    await waitFor(() => expect(server.requestsTo('billingPortal').length).toBeGreaterThan(0));
    await act(() => vi.advanceTimersByTimeAsync(9_000));
    expect(screen.getByText(LOADING)).toBeInTheDocument();
    expect(screen.queryByText(FAILED)).not.toBeInTheDocument();
    expect(visited).toEqual([]);
    await act(() => vi.advanceTimersByTimeAsync(1_500));
    expect(visited).toEqual(['reload']);
  });

  test('reloads once: the page after the reload shows the failure and stays', async () => {
    holdTime();
    markReloaded();
    logInUser();
    fakeServer({
      ...premium,
      billingPortal: () => {
        throw apiFailure('billing.provider_unavailable');
      },
    });
    const { visited } = openApp('/subscription');
    await screen.findByText(FAILED);
    await act(() => vi.advanceTimersByTimeAsync(30_000));
    expect(visited).toEqual([]);
  });

  test('forgets the reload when the portal opens', async () => {
    markReloaded();
    logInUser();
    fakeServer({ ...premium, billingPortal: () => ({ url: 'https://portal.test/p_4' }) });
    const { visited } = openApp('/subscription');
    await waitFor(() => expect(visited).toEqual(['https://portal.test/p_4']));
    expect(sessionStorage.getItem('portalReloaded')).toBeNull();
  });

  test('shows an unreachable server after ten seconds instead of reloading into an error of the browser', async () => {
    holdTime();
    logInUser();
    fakeServer({
      ...premium,
      billingPortal: () => {
        throw unreachable();
      },
    });
    const { visited } = openApp('/subscription');
    await screen.findByText(LOADING);
    await act(() => vi.advanceTimersByTimeAsync(10_500));
    expect(await screen.findByText(FAILED)).toBeInTheDocument();
    expect(document.body).not.toHaveTextContent(/What you typed/);
    expect(visited).toEqual([]);
  });
});

test('a portal that cannot be opened without a connection says that the device is offline', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  logInUser();
  fakeServer({
    ...premium,
    billingPortal: () => {
      throw unreachable();
    },
  });
  openApp('/subscription');
  expect(await screen.findByText('Your device is offline. Connect it and try again.')).toBeVisible();
});
