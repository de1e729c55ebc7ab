import { screen, waitFor, within } from '@testing-library/react';
import type { IntervalPreview, SubscriptionView } from '@shortlist/contracts/api/billing';
import { mutate } from 'swr';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { apiFailure, fakeServer, LINKS } from './fake-server.ts';
import { creditsView, premiumSubscription, premiumUser, PRICE } from './fixtures.ts';
import { logInUser, openApp } from './render-app.tsx';
import { CARD, YEAR_PREVIEW } from './subscription-views.ts';

const YEAR = { amount: 59_000, currency: 'usd' };
const config = { brand: 'Shortlist', links: LINKS, price: PRICE };
// In SWR's cache, which is shared by all tests and fetches the configuration once.
beforeEach(() => mutate(['config'], { ...config, yearlyPrice: YEAR }, { revalidate: false }));
afterEach(() => mutate(['config'], config, { revalidate: false }));

const premium = { checkUser: () => ({ remainingTime: 3_600, user: premiumUser() }) };
const YEAR_END = '2027-11-20T09:41:00.000Z';
const yearly = (overrides: Partial<SubscriptionView> = {}): SubscriptionView =>
  premiumSubscription({
    interval: 'year',
    price: YEAR,
    periodEnd: YEAR_END,
    premiumUntil: YEAR_END,
    lastPayment: { ...YEAR, paidAt: '2026-11-20T09:41:00.000Z' },
    card: CARD,
    ...overrides,
  });
const previewOf = (overrides: Partial<IntervalPreview> = {}): IntervalPreview => ({
  ...YEAR_PREVIEW,
  ...overrides,
});
const press = async (
  user: ReturnType<typeof openApp>['user'],
  name: string | RegExp,
  within_?: HTMLElement,
) =>
  user.click(
    await (within_ === undefined
      ? screen.findByRole('button', { name })
      : within(within_).findByRole('button', { name })),
  );

describe('the offer of a year', () => {
  test('says what it saves, and opens its own checkout', async () => {
    logInUser();
    const server = fakeServer({ subscribe: () => ({ url: 'https://checkout.test/cs_1' }) });
    const { user, visited } = openApp('/payments');
    expect(await screen.findByText('A year costs $118 less than twelve months.')).toBeVisible();
    expect(screen.getByRole('region', { name: 'The monthly plan' })).toHaveTextContent('$59/Month');
    await user.click(screen.getByRole('radio', { name: 'Yearly' }));
    expect(screen.getByRole('region', { name: 'The yearly plan' })).toHaveTextContent('$590/Year');
    await press(user, 'Get Started');
    await waitFor(() => expect(visited).toEqual(['https://checkout.test/cs_1']));
    expect(server.requestsTo('subscribe')[0]?.query.get('interval')).toBe('year');
  });

  test('promises nothing that it does not save', async () => {
    await mutate(['config'], { ...config, yearlyPrice: { ...YEAR, amount: 70_800 } }, { revalidate: false });
    logInUser();
    fakeServer();
    openApp('/payments');
    expect(await screen.findByRole('radio', { name: 'Yearly' })).toBeInTheDocument();
    expect(screen.queryByText(/A year costs/)).not.toBeInTheDocument();
  });

  test('is not there while none is sold', async () => {
    await mutate(['config'], { ...config, yearlyPrice: null }, { revalidate: false });
    logInUser();
    fakeServer();
    openApp('/payments');
    expect(await screen.findByRole('button', { name: 'Get Started' })).toBeVisible();
    expect(screen.queryByRole('radio')).not.toBeInTheDocument();
  });
});

describe('a change to a year', () => {
  test('shows what is due now and why, and sends that back', async () => {
    logInUser();
    let view = premiumSubscription({ card: CARD });
    const server = fakeServer({
      ...premium,
      subscription: () => ({ data: view }),
      previewInterval: () => ({ data: previewOf() }),
      changeInterval: () => {
        view = yearly();
        return { data: view };
      },
    });
    const { user } = openApp('/payments');
    await press(user, 'Pay yearly');
    const dialog = screen.getByRole('dialog', { name: 'Pay for a year' });
    await within(dialog).findByText(/You are charged \$552\.63 now/);
    expect(dialog).toHaveTextContent('The next charge is $590.00 on Nov 21, 2027');
    expect(dialog).toHaveTextContent('$590.00 for one year, minus $37.37 for the days of this month');
    expect(server.requestsTo('changeInterval')).toEqual([]);
    await press(user, 'Pay $552.63', dialog);
    expect(
      await screen.findByText('Your yearly subscription is currently paid for and active'),
    ).toBeVisible();
    expect(server.requestsTo('changeInterval')[0]?.body).toEqual({
      interval: 'year',
      amount: 55_263,
      currency: 'usd',
      prorationAt: '2026-11-21T09:41:00.000Z',
    });
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    expect(screen.getByRole('region', { name: 'Next charge' })).toHaveTextContent(
      '$590.00On Nov 20, 2027, for one year',
    );
  });

  test('whose amount has changed is shown again, and not made', async () => {
    logInUser();
    let preview = previewOf();
    const server = fakeServer({
      ...premium,
      subscription: () => ({ data: premiumSubscription({ card: CARD }) }),
      previewInterval: () => ({ data: preview }),
      changeInterval: () => {
        preview = previewOf({ amount: 55_400, credit: 3_600 });
        throw apiFailure('billing.change_outdated');
      },
    });
    const { user } = openApp('/payments');
    await press(user, 'Pay yearly');
    await press(user, 'Pay $552.63');
    expect(await screen.findByRole('button', { name: 'Pay $554.00' })).toBeEnabled();
    expect(screen.getByText('The amount has changed since. Please check it again.')).toBeVisible();
    expect(server.requestsTo('changeInterval')).toHaveLength(1);
  });

  test('that the bank refuses leads to the card', async () => {
    logInUser();
    fakeServer({
      ...premium,
      subscription: () => ({ data: premiumSubscription({ card: CARD }) }),
      previewInterval: () => ({ data: previewOf() }),
      changeInterval: () => {
        throw apiFailure('billing.change_unpaid');
      },
    });
    const { user } = openApp('/payments');
    await press(user, 'Pay yearly');
    await press(user, 'Pay $552.63');
    const dialog = screen.getByRole('dialog');
    expect(await within(dialog).findByText(/you have not been charged/)).toBeVisible();
    expect(within(dialog).getByRole('link', { name: 'Change card' })).toHaveAttribute(
      'href',
      '/subscription?page=card',
    );
  });

  test('that cannot be calculated says why, and can be tried again', async () => {
    logInUser();
    let isAway = true;
    fakeServer({
      ...premium,
      subscription: () => ({ data: premiumSubscription({ card: CARD }) }),
      previewInterval: () => {
        if (isAway) throw apiFailure('billing.provider_unavailable');
        return { data: previewOf({ credit: 0, tax: 4_720, amount: 63_720 }) };
      },
    });
    const { user } = openApp('/payments');
    await press(user, 'Pay yearly');
    const dialog = screen.getByRole('dialog');
    expect(await within(dialog).findByText(/not responding/)).toBeVisible();
    isAway = false;
    await press(user, 'Try again', dialog);
    expect(await within(dialog).findByText('$590.00 for one year, plus $47.20 tax.')).toBeVisible();
  });

  test.each<[string, Partial<SubscriptionView>]>([
    ['is not charged to a card', { card: null }],
    ['is set to end', { card: CARD, renews: false, canResume: true, continuation: 'ends' }],
    ['renews until a date', { card: CARD, renewsUntil: YEAR_END }],
  ])('is not offered for a plan that %s', async (_, overrides) => {
    logInUser();
    fakeServer({ ...premium, subscription: () => ({ data: premiumSubscription(overrides) }) });
    openApp('/payments');
    expect(await screen.findByRole('region', { name: 'Payment method' })).toBeVisible();
    expect(screen.queryByRole('button', { name: /^Pay / })).not.toBeInTheDocument();
  });
});

describe('a change to months', () => {
  test('follows the paid year, is shown with its day, and can be taken back', async () => {
    logInUser();
    let view = yearly();
    fakeServer({
      ...premium,
      subscription: () => ({ data: view }),
      previewInterval: () => ({
        data: previewOf({
          interval: 'month',
          amount: 0,
          credit: 0,
          price: 5_900,
          startsAt: YEAR_END,
          nextChargeAt: YEAR_END,
        }),
      }),
      changeInterval: () => {
        view = yearly({ nextInterval: 'month' });
        return { data: view };
      },
      keepInterval: () => {
        view = yearly();
        return { data: view };
      },
    });
    const { user } = openApp('/payments');
    await press(user, 'Pay monthly');
    expect(
      await screen.findByText(/Nothing changes until your paid year ends on Nov 20, 2027/),
    ).toBeVisible();
    await press(user, 'Pay monthly from Nov 20, 2027');
    expect(await screen.findByText('$59/Month on Nov 20, 2027')).toBeVisible();
    expect(screen.getByRole('region', { name: 'Next charge' })).toHaveTextContent('$59.00');
    await press(user, 'Keep paying yearly');
    const dialog = screen.getByRole('dialog', { name: 'Keep paying yearly' });
    expect(dialog).toHaveTextContent('Your plan renews for another year on Nov 20, 2027');
    await press(user, 'Keep paying yearly', dialog);
    await waitFor(() => expect(screen.queryByText('$59/Month on Nov 20, 2027')).not.toBeInTheDocument());
  });
});

test.each<[Partial<NonNullable<SubscriptionView['discount']>>, string]>([
  [{ percentOff: 12.5 }, 'Welcome: 12.5% off each charge'],
  [{ amountOff: 1_000, currency: 'eur', name: null }, '€10 off each charge'],
  [{ percentOff: 100, endsAt: YEAR_END }, 'Welcome: 100% off each charge until Nov 20, 2027'],
])('a discount is shown while it lasts: %j', async (discount, text) => {
  logInUser();
  const none = { name: 'Welcome', percentOff: null, amountOff: null, currency: null, endsAt: null };
  const view = premiumSubscription({ discount: { ...none, ...discount } });
  fakeServer({ ...premium, subscription: () => ({ data: view }) });
  openApp('/payments');
  expect(await screen.findByText(text)).toBeVisible();
  expect(screen.getByRole('region', { name: 'Next charge' })).toHaveTextContent('before tax and discounts');
});

test('credits that are used up come back with the next month of the year, not with its end', async () => {
  logInUser();
  const windowEnd = '2026-12-20T09:41:00.000Z';
  const used = { plan: 'premium', used: 500, limit: 500, available: 0, exhausted: true, windowEnd } as const;
  fakeServer({
    ...premium,
    subscription: () => ({ data: yearly() }),
    credits: () => creditsView({ ...used, premiumUsed: 500 }),
  });
  openApp('/credits');
  expect(await screen.findByText(/You get the next 500 on Dec 20, 2026/)).toBeVisible();
});
