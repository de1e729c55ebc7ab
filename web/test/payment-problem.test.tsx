import type { PaymentProblem, SubscriptionView } from '@shortlist/contracts/api/billing';
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { revalidate } from '../src/lib/data/use-query.ts';
import { apiFailure, fakeServer } from './fake-server.ts';
import { creditsView, premiumSubscription, premiumUser, subscriptionView, userView } from './fixtures.ts';
import { logInUser, openApp } from './render-app.tsx';

const PAY_URL = 'https://invoice.test/i/in_1';
const problemOf = (change: Partial<PaymentProblem> = {}): PaymentProblem => ({
  kind: 'past_due',
  amount: 5_900,
  currency: 'usd',
  payUrl: PAY_URL,
  since: null,
  resumesAt: null,
  ...change,
});
const PAUSED = problemOf({ kind: 'paused', amount: null, currency: null, payUrl: null });
const PROCESSING = problemOf({ kind: 'processing', payUrl: null });
const FREE_USER = userView({ stripe_customer_id: 'cus_1' });

/** A server whose user has this problem. */
const serve = (problem: PaymentProblem | null, more: Partial<SubscriptionView> = {}) =>
  fakeServer({
    checkUser: () => ({ remainingTime: 3_600, user: more.plan === 'premium' ? premiumUser() : FREE_USER }),
    subscription: () => ({
      data:
        more.plan === 'premium'
          ? premiumSubscription({ problem, ...more })
          : subscriptionView({ problem, customerId: 'cus_1', renews: true, ...more }),
    }),
  });

type Case = [string, PaymentProblem, RegExp, { name: RegExp; href: string } | null];

describe('the page of the plan', () => {
  test.each<Case>([
    [
      'a renewal that could not be collected',
      problemOf(),
      /Pay the open invoice to get your plan back/,
      { name: /Pay \$59\.00/, href: PAY_URL },
    ],
    [
      'a renewal without a page to pay it',
      problemOf({ payUrl: null, amount: null, currency: null }),
      /Pay the open invoice/,
      { name: /Open the billing portal/, href: '/subscription' },
    ],
    [
      'a payment that the bank wants confirmed',
      problemOf({ kind: 'authentication' }),
      /Confirm it to get your plan back/,
      { name: /Confirm your payment/, href: PAY_URL },
    ],
    ['a payment in progress', PROCESSING, /You do not need to pay again/, null],
    [
      'a paused subscription',
      PAUSED,
      /You will not be charged until you resume it/,
      { name: /Open the billing portal/, href: '/subscription' },
    ],
    [
      'a paused subscription that resumes by itself',
      { ...PAUSED, resumesAt: '2027-01-10T12:00:00.000Z' },
      /It resumes automatically on Jan 10, 2027.* You will not be charged before then/,
      { name: /Open the billing portal/, href: '/subscription' },
    ],
  ])('shows %s in words, with what mends it and without the offer', async (...[, problem, words, action]) => {
    logInUser();
    serve(problem);
    openApp('/payments');
    await waitFor(() => expect(document.querySelector('.alert')).toHaveTextContent(words));
    expect(screen.queryByRole('button', { name: 'Get Started' })).not.toBeInTheDocument();
    const main = document.querySelector('#main');
    const links = [...(main?.querySelectorAll<HTMLAnchorElement>('.is-primary') ?? [])];
    expect(links.map((link) => link.getAttribute('href'))).toEqual(action === null ? [] : [action.href]);
    if (action !== null) expect(links[0]?.textContent).toMatch(action.name);
    expect(document.querySelector('.frame-bar')).toBeNull();
  });

  test('offers the plan again after a first payment that failed', async () => {
    logInUser();
    serve(problemOf({ kind: 'incomplete' }));
    openApp('/payments');
    expect(await screen.findByText(/You have not been charged/)).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Get Started' })).toBeEnabled();
  });

  test('shows the end of the grace to a user whose plan continues', async () => {
    logInUser();
    serve(problemOf(), {
      plan: 'premium',
      continuation: 'collecting',
      premiumUntil: '2026-12-27T09:41:00.000Z',
    });
    openApp('/payments');
    expect(await screen.findByText(/Your plan ends on Dec 27, 2026, 9:41 AM unless/)).toBeInTheDocument();
    expect(screen.getByRole('link', { name: /Pay \$59\.00/ })).toHaveAttribute('href', PAY_URL);
  });

  test('does not promise a start of the plan to a user who has it while a renewal is processed', async () => {
    logInUser();
    serve(PROCESSING, { plan: 'premium', renews: true });
    openApp('/payments');
    await screen.findByText('Your bank is still confirming your payment.');
    expect(document.querySelector('.alert')).toHaveTextContent(/You do not need to pay again\.$/);
  });

  test('shows the plan again once the invoice is paid', async () => {
    logInUser();
    const server = serve(problemOf());
    openApp('/payments');
    await screen.findByRole('link', { name: /Pay \$59\.00/ });
    server.use({
      checkUser: () => ({ remainingTime: 3_600, user: premiumUser() }),
      subscription: () => ({ data: premiumSubscription() }),
    });
    await revalidate(['subscription']); // as a live update does
    expect(await screen.findByText(/is currently paid for and active/)).toBeInTheDocument();
    expect(screen.queryByRole('link', { name: /Pay \$59\.00/ })).not.toBeInTheDocument();
  });

  test('shows the problem that a refused checkout names', async () => {
    logInUser();
    const server = serve(null);
    const { user } = openApp('/payments');
    await screen.findByRole('button', { name: 'Get Started' });
    server.use({
      subscription: () => ({ data: subscriptionView({ problem: problemOf() }) }),
      subscribe: () => {
        throw apiFailure('billing.payment_open');
      },
    });
    await user.click(screen.getByRole('button', { name: 'Get Started' }));
    expect(await screen.findByRole('link', { name: /Pay \$59\.00/ })).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Get Started' })).not.toBeInTheDocument();
  });

  test('offers the plan although the subscription cannot be loaded', async () => {
    logInUser();
    fakeServer({
      subscription: () => {
        throw apiFailure('service.failed');
      },
    });
    openApp('/payments');
    expect(await screen.findByRole('button', { name: 'Get Started' })).toBeInTheDocument();
  });
});

describe('the other pages', () => {
  test.each(['/', '/profile', '/credits'])(
    'show a problem with its action below the top bar: %s',
    async (path) => {
      logInUser();
      serve(problemOf());
      openApp(path);
      await waitFor(() => expect(document.querySelector('.frame-bar')).not.toBeNull());
      const bar = document.querySelector('.frame-bar');
      expect(bar).toHaveTextContent('We could not collect your renewal payment.');
      expect(bar?.querySelector('a')).toHaveAttribute('href', PAY_URL);
    },
  );

  test.each([
    ['without a problem', null],
    ['while a payment is processed, which needs nothing', PROCESSING],
  ])('show no bar %s', async (_, problem) => {
    logInUser();
    const server = serve(problem);
    openApp('/');
    await screen.findByText('Go To Your Profile');
    await waitFor(() => expect(server.requestsTo('subscription').length).toBeGreaterThan(0));
    await screen.findByText(problem === null ? 'No invoice yet' : 'not confirmed yet', { exact: false });
    expect(document.querySelector('.frame-bar')).toBeNull();
  });

  test('home names the problem in the card of the subscription', async () => {
    logInUser();
    serve(PROCESSING);
    openApp('/');
    expect(await screen.findByText('Your bank is still confirming your payment.')).toBeInTheDocument();
    expect(screen.queryByText('You can upgrade at any time')).not.toBeInTheDocument();
  });

  test('credits that are used up lead to the open invoice instead of the offer', async () => {
    logInUser();
    const server = serve(problemOf());
    server.use({ credits: () => creditsView({ used: 20, available: 0, exhausted: true }) });
    openApp('/credits');
    await screen.findByText('Free credits used up');
    const main = document.querySelector('#main');
    await waitFor(() => expect(main?.querySelector('a.is-primary')).toHaveAttribute('href', PAY_URL));
    expect(screen.queryByText('Get Started')).not.toBeInTheDocument();
  });
});

test('the success page says that a bank debit is on its way', async () => {
  logInUser();
  fakeServer({
    confirmPayment: () => {
      throw apiFailure('billing.payment_processing');
    },
  });
  openApp('/payments/success?xsl=cs_1');
  expect(await screen.findByText('Your payment is on its way')).toBeInTheDocument();
  expect(screen.getByText(/Your bank is still confirming your payment/)).toBeInTheDocument();
});
