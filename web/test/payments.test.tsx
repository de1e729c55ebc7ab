import { act, screen, waitFor } from '@testing-library/react';
import { mutate } from 'swr';
import { describe, expect, test } from 'vitest';
import { fakeServer, apiFailure, LINKS } from './fake-server.ts';
import { premiumSubscription, premiumUser, PRICE, userView } from './fixtures.ts';
import { logInUser, openApp } from './render-app.tsx';

const premium = { checkUser: () => ({ remainingTime: 3_600, user: premiumUser() }) };

describe('Subscription Status', () => {
  test('shows a premium plan as active, with the last credit reset and the date one month later', async () => {
    logInUser();
    fakeServer(premium);
    openApp('/payments');
    expect(
      await screen.findByText('Your monthly subscription is currently paid for and active'),
    ).toBeInTheDocument();
    expect(screen.getAllByText('Nov 20, 2026, 9:41 AM')).toHaveLength(2);
    expect(await screen.findByText('Dec 20, 2026, 9:41 AM')).toBeInTheDocument();
    expect(screen.queryByText('Get Started')).not.toBeInTheDocument();
  });

  test('shows as the next installment the end of the period, as every screen does', async () => {
    logInUser();
    fakeServer({
      ...premium,
      subscription: () => ({
        data: premiumSubscription({
          periodStart: '2027-01-31T23:41:00.000Z',
          periodEnd: '2027-02-28T23:41:00.000Z',
        }),
      }),
    });
    openApp('/payments');
    expect(await screen.findByText('Feb 28, 2027, 11:41 PM')).toBeInTheDocument();
  });

  test('shows the end of a plan that does not renew', async () => {
    logInUser();
    fakeServer({
      ...premium,
      subscription: () => ({
        data: premiumSubscription({ renews: false, continuation: 'ends' }),
      }),
    });
    openApp('/payments');
    const definitionOf = (term: string) => screen.getByText(term).nextElementSibling;
    expect(await screen.findByText('Plan ends')).toBeInTheDocument();
    expect(definitionOf('Plan ends')).toHaveTextContent('Dec 20, 2026, 9:41 AM');
    expect(screen.queryByText('Next installment due')).not.toBeInTheDocument();
    expect(screen.getByText('Your subscription is canceled. Premium ends on Dec 20, 2026')).toBeVisible();
    expect(screen.queryByText(/paid for and active/)).not.toBeInTheDocument();
  });

  test('reports a renewal that could not be collected', async () => {
    logInUser();
    fakeServer({
      ...premium,
      subscription: () => ({
        data: premiumSubscription({
          continuation: 'collecting',
          premiumUntil: '2026-12-27T09:41:00.000Z',
          problem: {
            kind: 'past_due',
            amount: 5900,
            currency: 'usd',
            payUrl: 'https://invoice.test/i/in_1',
            resumesAt: null,
            since: null,
          },
        }),
      }),
    });
    openApp('/payments');
    expect(await screen.findByText('We could not collect your renewal payment.')).toBeInTheDocument();
    expect(document.querySelector('.alert')).toHaveTextContent('Dec 27, 2026, 9:41 AM');
    expect(screen.queryByText(/Next installment/)).not.toBeInTheDocument();
  });

  test.each([
    [4900, 'usd', '$49/Month'],
    [5950, 'eur', '€59.50/Month'],
  ])('shows the price that Stripe charges: %i %s', async (amount, currency, text) => {
    logInUser();
    fakeServer();
    const config = { brand: 'Shortlist', links: LINKS };
    // Set in SWR's cache, which is shared by all tests and fetches the configuration once.
    await mutate(['config'], { ...config, price: { amount, currency } }, { revalidate: false });
    openApp('/payments');
    await waitFor(() =>
      expect(screen.getByRole('region', { name: 'The monthly plan' })).toHaveTextContent(text),
    );
    await act(() => mutate(['config'], { ...config, price: PRICE }, { revalidate: false }));
  });

  test('shows a free user the plan, and Get Started opens the checkout', async () => {
    const token = logInUser();
    const server = fakeServer({ subscribe: () => ({ url: 'https://checkout.test/cs_1' }) });
    const { user, visited } = openApp('/payments');
    expect(await screen.findByText('You are currently un-subscribed')).toBeInTheDocument();
    await waitFor(() =>
      expect(screen.getByRole('region', { name: 'The monthly plan' })).toHaveTextContent('$59/Month'),
    );
    expect(screen.getByText('500 email-finder credits a month for LinkedIn profiles')).toBeInTheDocument();
    expect(
      await screen.findByText(/You have used 6 so far. You get new ones on Dec 12, 2026./),
    ).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Get Started' }));
    await waitFor(() => expect(visited).toEqual(['https://checkout.test/cs_1']));
    const [request] = server.requestsTo('subscribe');
    expect(request?.query.get('email')).toBe('amara@talentfield.io');
    expect(request?.token).toBe(token);
    expect(request?.headers.get('x-xsrf-token')).toBe('proof');
  });

  test('shows a message when the payment provider is unavailable, and the button works again', async () => {
    logInUser();
    fakeServer({
      subscribe: () => {
        throw apiFailure('billing.provider_unavailable');
      },
    });
    const { user } = openApp('/payments');
    await user.click(await screen.findByRole('button', { name: 'Get Started' }));
    expect(
      await screen.findByText(
        'The payment provider is not responding. You have not been charged. Please try again in a moment.',
      ),
    ).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Get Started' })).toBeEnabled();
  });

  test('shows the plan of a user who has subscribed meanwhile', async () => {
    logInUser();
    const server = fakeServer();
    const { user } = openApp('/payments');
    await screen.findByRole('button', { name: 'Get Started' });
    server.use({
      ...premium,
      subscribe: () => {
        throw apiFailure('billing.already_subscribed');
      },
    });
    await user.click(screen.getByRole('button', { name: 'Get Started' }));
    expect(
      await screen.findByText('Your monthly subscription is currently paid for and active'),
    ).toBeInTheDocument();
  });

  test('never shows a user with a pending payment as free', async () => {
    logInUser();
    sessionStorage.setItem('pendingPayment', `${userView().id} ${Date.now()}`);
    fakeServer();
    openApp('/payments');
    expect(await screen.findByText('Your payment is being confirmed')).toBeInTheDocument();
    expect(screen.queryByText('You are currently un-subscribed')).not.toBeInTheDocument();
    expect(screen.queryByText('Free User')).not.toBeInTheDocument();
  });
});
