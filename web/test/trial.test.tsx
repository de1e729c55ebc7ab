import { screen, waitFor, within } from '@testing-library/react';
import type { SubscriptionView } from '@shortlist/contracts/api/billing';
import { mutate } from 'swr';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { apiFailure, fakeServer, LINKS } from './fake-server.ts';
import {
  accountStatusOf,
  premiumSubscription,
  premiumUser,
  PRICE,
  profileOf,
  subscriptionView,
} from './fixtures.ts';
import { logInAdmin, logInUser, openApp } from './render-app.tsx';
import { CARD } from './subscription-views.ts';

const config = { brand: 'Shortlist', links: LINKS, price: PRICE };
const YEAR = { amount: 59_000, currency: 'usd' };
beforeEach(() => mutate(['config'], { ...config, yearlyPrice: YEAR }, { revalidate: false }));
afterEach(() => mutate(['config'], config, { revalidate: false }));

const TRIAL_END = '2026-12-04T09:41:00.000Z';
const premium = { checkUser: () => ({ remainingTime: 3_600, user: premiumUser() }) };
const inTrial = (overrides: Partial<SubscriptionView> = {}): SubscriptionView =>
  premiumSubscription({
    trialEndsAt: TRIAL_END,
    periodEnd: TRIAL_END,
    premiumUntil: TRIAL_END,
    lastPayment: null,
    card: CARD,
    ...overrides,
  });

describe('the offer', () => {
  test('says how long the plan is free, and what follows', async () => {
    logInUser();
    fakeServer({ subscription: () => ({ data: subscriptionView({ trialDays: 14 }) }) });
    const { user } = openApp('/payments');
    expect(await screen.findByText('14 days free, then $59 a month')).toBeVisible();
    await user.click(screen.getByRole('radio', { name: 'Yearly' }));
    expect(screen.getByText('14 days free, then $590 a year')).toBeVisible();
  });

  test('keeps its place for the price until that is loaded, so that nothing moves then', async () => {
    await mutate(['config'], undefined, { revalidate: false });
    logInUser();
    fakeServer({
      config: () => new Promise(() => undefined),
      subscription: () => ({ data: subscriptionView({ trialDays: 14 }) }),
    });
    openApp('/payments');
    expect(await screen.findByText(/charged when the free days are over/)).toBeVisible();
    expect(screen.getByRole('radio', { name: 'Yearly' })).toBeVisible();
    expect(screen.queryByText(/days free/)).not.toBeInTheDocument();
  });

  test('promises nothing to a user who may have no trial', async () => {
    logInUser();
    fakeServer({ subscription: () => ({ data: subscriptionView({ trialDays: 0 }) }) });
    openApp('/payments');
    expect(await screen.findByRole('button', { name: 'Get Started' })).toBeVisible();
    expect(screen.queryByText(/days free/)).not.toBeInTheDocument();
  });

  test('says why a trial did not start', async () => {
    logInUser();
    fakeServer({ subscription: () => ({ data: subscriptionView({ isTrialRefused: true }) }) });
    openApp('/payments');
    expect(await screen.findByText(/one was used before with this account, email or card/)).toBeVisible();
    expect(screen.getByRole('button', { name: 'Get Started' })).toBeVisible();
  });
});

test('a trial that has begun is not called a payment', async () => {
  logInUser();
  fakeServer({
    ...premium,
    subscription: () => ({ data: inTrial() }),
    confirmPayment: () => ({ message: 'paid', data: premiumUser() }),
  });
  openApp('/payments/success?xsl=cs_1');
  expect(
    await screen.findByText('Your free trial has started. Nothing is charged before it ends.', undefined, {
      timeout: 5_000,
    }),
  ).toBeVisible();
  expect(screen.queryByText(/payment has been processed/)).not.toBeInTheDocument();
});

test('a second trial says at once that it did not start, and nothing is left of a payment', async () => {
  logInUser();
  let view = subscriptionView({ trialDays: 14 });
  fakeServer({
    subscription: () => ({ data: view }),
    confirmPayment: () => {
      view = subscriptionView({ isTrialRefused: true });
      throw apiFailure('billing.trial_refused');
    },
  });
  const { user } = openApp('/payments/success?xsl=cs_1');
  expect(await screen.findByText('Your free trial did not start')).toBeVisible();
  expect(screen.getByText(/You can subscribe without a trial/)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Retry' })).not.toBeInTheDocument();
  await user.click(screen.getByRole('link', { name: 'Go to Subscription Status' }));
  expect(await screen.findByText(/did not start, because one was used before/)).toBeVisible();
  expect(screen.queryByText(/days free/)).not.toBeInTheDocument();
});

test('an admin sees until when the trial of a user lasts', async () => {
  logInAdmin();
  const status = accountStatusOf(premiumUser(), { subscription: inTrial() });
  fakeServer({
    accountStatus: () => ({ data: status }),
    userProfile: () => ({ data: profileOf(premiumUser()) }),
  });
  openApp(`/admin/edit-user?user_id=${premiumUser().id}`);
  const row = (await screen.findByText('Trial until')).closest('tr');
  expect(row).toHaveTextContent('2026');
});

describe('a trial', () => {
  test('shows until when it is free, and what is charged then', async () => {
    logInUser();
    fakeServer({ ...premium, subscription: () => ({ data: inTrial() }) });
    openApp('/payments');
    expect(await screen.findByText('Your free trial lasts until Dec 4, 2026')).toBeVisible();
    const charge = screen.getByRole('region', { name: 'Next charge' });
    expect(charge).toHaveTextContent('$59.00On Dec 4, 2026, when your free trial ends, for one month');
    expect(screen.getByRole('heading', { name: '$59/Month' })).toBeVisible();
    expect(screen.queryByText('Last payment date')).not.toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Pay yearly' })).not.toBeInTheDocument();
  });

  test('is canceled without a charge, and can be resumed', async () => {
    logInUser();
    let view = inTrial();
    const server = fakeServer({
      ...premium,
      subscription: () => ({ data: view }),
      cancelPlan: () => {
        view = inTrial({ renews: false, continuation: 'ends', canResume: true });
        return { data: view };
      },
    });
    const { user } = openApp('/payments');
    await user.click(await screen.findByRole('button', { name: 'Cancel subscription' }));
    const dialog = screen.getByRole('dialog', { name: 'Cancel your subscription' });
    expect(dialog).toHaveTextContent('until your free trial ends on Dec 4, 2026. Nothing is charged.');
    await user.click(within(dialog).getByRole('button', { name: 'Cancel subscription' }));
    expect(
      await screen.findByText('Your free trial ends on Dec 4, 2026, and nothing will be charged'),
    ).toBeVisible();
    await waitFor(() => expect(server.requestsTo('cancelPlan')).toHaveLength(1));
    expect(screen.getByRole('button', { name: 'Resume subscription' })).toBeVisible();
    expect(screen.getByRole('region', { name: 'Next charge' })).toHaveTextContent('None');
  });
});
