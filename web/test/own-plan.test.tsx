import { act, screen, waitFor, within } from '@testing-library/react';
import type { SubscriptionView } from '@shortlist/contracts/api/billing';
import { describe, expect, test } from 'vitest';
import { keepPlanBefore } from '../src/features/billing/portal.ts';
import { revalidate } from '../src/lib/data/use-query.ts';
import { apiFailure, fakeServer } from './fake-server.ts';
import { invoice, premiumSubscription, premiumUser, userView } from './fixtures.ts';
import { logInUser, openApp } from './render-app.tsx';
import { CARD, VIEWS } from './subscription-views.ts';

const premium = { checkUser: () => ({ remainingTime: 3_600, user: premiumUser() }) };
const canceled = premiumSubscription({ renews: false, canResume: true, continuation: 'ends', card: CARD });
const region = (name: string | RegExp) => screen.findByRole('region', { name });

describe('the sheet of the plan', () => {
  test('says what is charged next, when, and to which card', async () => {
    logInUser();
    fakeServer({ ...premium, subscription: () => ({ data: premiumSubscription({ card: CARD }) }) });
    openApp('/payments');
    expect(await region('Next charge')).toHaveTextContent('$59.00On Dec 20, 2026, for one month');
    const card = await region('Payment method');
    expect(card).toHaveTextContent('Visa card ending in 4242Expires 08/2028');
    expect(within(card).getByRole('link', { name: 'Change card' })).toHaveAttribute(
      'href',
      '/subscription?page=card',
    );
  });

  test('does not promise the price where the last payment had a discount or a tax', async () => {
    logInUser();
    const lastPayment = { amount: 2_950, currency: 'usd', paidAt: '2026-11-20T09:41:00.000Z' };
    fakeServer({ ...premium, subscription: () => ({ data: premiumSubscription({ lastPayment }) }) });
    openApp('/payments');
    expect(await region('Next charge')).toHaveTextContent('before tax and discounts');
    expect(await region('Payment method')).toHaveTextContent('Saved at Stripe');
  });
});

describe('a subscription', () => {
  test('is canceled after a dialog that names the day and the amount, and can be resumed', async () => {
    const token = logInUser();
    let view = premiumSubscription();
    const server = fakeServer({
      ...premium,
      subscription: () => ({ data: view }),
      cancelPlan: () => {
        view = canceled;
        return { data: view };
      },
      resumePlan: () => {
        view = premiumSubscription();
        return { data: view };
      },
    });
    const { user } = openApp('/payments');
    await user.click(await screen.findByRole('button', { name: 'Cancel subscription' }));
    const dialog = screen.getByRole('dialog', { name: 'Cancel your subscription' });
    expect(dialog).toHaveTextContent(
      'You keep Premium until Dec 20, 2026. You are not charged $59.00 on that day',
    );
    expect(within(dialog).getByRole('button', { name: 'Keep Premium' })).toHaveFocus();
    expect(server.requestsTo('cancelPlan')).toEqual([]);
    await user.click(within(dialog).getByRole('button', { name: 'Cancel subscription' }));
    expect(
      await screen.findByText('Your subscription is canceled. Premium ends on Dec 20, 2026'),
    ).toBeVisible();
    expect(server.requestsTo('cancelPlan')[0]).toMatchObject({ token, body: { when: 'period_end' } });
    expect(await region('Next charge')).toHaveTextContent('None');

    await user.click(screen.getByRole('button', { name: 'Resume subscription' }));
    const resume = screen.getByRole('dialog', { name: 'Resume your subscription' });
    expect(resume).toHaveTextContent('You are charged $59.00 on Dec 20, 2026');
    await user.click(within(resume).getByRole('button', { name: 'Resume subscription' }));
    expect(await screen.findByText(/paid for and active/)).toBeVisible();
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  test('that cannot be canceled right now stays, with the reason in the dialog', async () => {
    logInUser();
    fakeServer({
      ...premium,
      cancelPlan: () => {
        throw apiFailure('billing.provider_unavailable');
      },
    });
    const { user } = openApp('/payments');
    await user.click(await screen.findByRole('button', { name: 'Cancel subscription' }));
    const dialog = screen.getByRole('dialog');
    await user.click(within(dialog).getByRole('button', { name: 'Cancel subscription' }));
    expect(await within(dialog).findByText(/not responding/)).toBeVisible();
    expect(screen.getByText(/paid for and active/)).toBeVisible();
  });

  test('that Stripe would not resume has no button for it', async () => {
    logInUser();
    fakeServer({ ...premium, subscription: () => ({ data: { ...canceled, canResume: false } }) });
    openApp('/payments');
    expect(await screen.findByText(/subscription is canceled/)).toBeVisible();
    expect(screen.queryByRole('button', { name: /Resume|Cancel/ })).not.toBeInTheDocument();
  });

  test('whose payment is outstanding ends at once', async () => {
    logInUser();
    const view = premiumSubscription(VIEWS.past_due_paid);
    const server = fakeServer({
      ...premium,
      subscription: () => ({ data: view }),
      cancelPlan: () => ({ data: view }),
    });
    const { user } = openApp('/payments');
    await user.click(await screen.findByRole('button', { name: 'Cancel subscription' }));
    const dialog = screen.getByRole('dialog');
    expect(dialog).toHaveTextContent('Premium ends now. You are not charged for the open invoice.');
    await user.click(within(dialog).getByRole('button', { name: 'Cancel subscription' }));
    await waitFor(() => expect(server.requestsTo('cancelPlan')[0]?.body).toEqual({ when: 'now' }));
  });
});

describe('the invoices', () => {
  const pack = { credits: 250, amount: 1_900 };
  const invoices = [
    invoice({
      invoiceId: 'in_4',
      number: 'SL-0004',
      status: 'open',
      paidAt: null,
      payUrl: 'https://pay.test/i',
    }),
    invoice({ invoiceId: 'in_3', number: 'SL-0003', ...pack, paidAt: '2026-11-02T09:41:00.000Z' }),
    invoice({ invoiceId: 'in_2', number: 'SL-0002', refunded: 2_950, paidAt: '2026-10-20T09:41:00.000Z' }),
    invoice({ invoiceId: 'in_1', number: 'SL-0001', paidAt: '2025-12-31T23:41:00.000Z' }),
  ];

  test('are those of a year, with what was paid less what was refunded', async () => {
    logInUser();
    fakeServer({ ...premium, invoices: () => ({ data: invoices }) });
    const { user } = openApp('/payments');
    const panel = await region('Invoices');
    await within(panel).findByRole('cell', { name: 'SL-0003' });
    const rows = () =>
      within(panel)
        .getAllByRole('row')
        .slice(1)
        .map(({ textContent }) => textContent);
    expect(rows()).toEqual([
      'SL-0004Nov 20, 2026Premium, Nov 20, 2026 to Dec 20, 2026Open Pay(opens in a new tab)$59.00',
      'SL-0003Nov 2, 2026Pack of 250 creditsPaid $19.00',
      'SL-0002Oct 20, 2026Premium, Nov 20, 2026 to Dec 20, 2026$29.50 refunded $59.00',
      '2026, 2 invoices paid, minus refunds$48.50',
    ]);
    await user.selectOptions(within(panel).getByRole('combobox', { name: 'Year' }), '2025');
    expect(rows()).toHaveLength(2);
    expect(rows()[1]).toBe('2025, 1 invoice paid, minus refunds$59.00');
  });

  test('stand with the latest ones while they have no date, also where none has one', async () => {
    logInUser();
    const undated = invoice({ number: 'SL-0005', status: 'open', paidAt: null, periodStart: null, ...pack });
    const server = fakeServer({ ...premium, invoices: () => ({ data: [undated, ...invoices] }) });
    const { user } = openApp('/payments');
    const panel = within(await region('Invoices'));
    expect(await panel.findByRole('cell', { name: 'SL-0005' })).toBeVisible();
    await user.selectOptions(panel.getByRole('combobox', { name: 'Year' }), '2025');
    expect(panel.queryByRole('cell', { name: 'SL-0005' })).not.toBeInTheDocument();
    server.use({ invoices: () => ({ data: [undated] }) });
    await act(() => revalidate(['subscription']));
    expect(await panel.findByRole('cell', { name: 'SL-0005' })).toBeVisible();
  });

  test('open their file at Stripe', async () => {
    logInUser();
    const server = fakeServer({
      ...premium,
      invoices: () => ({ data: [invoice()] }),
      openInvoiceFile: () => ({ url: 'https://stripe.test/in_1.pdf' }),
    });
    const { user, visited } = openApp('/payments');
    await user.click(await screen.findByRole('button', { name: 'Download invoice SL-0001' }));
    await waitFor(() => expect(visited).toEqual(['https://stripe.test/in_1.pdf']));
    expect(server.requestsTo('openInvoiceFile')[0]?.params).toEqual({ invoiceId: 'in_1' });
  });

  test('are not there for a user who never paid', async () => {
    logInUser();
    const server = fakeServer({ checkUser: () => ({ remainingTime: 3_600, user: userView() }) });
    openApp('/payments');
    expect(await screen.findByText('Get Started')).toBeVisible();
    expect(screen.queryByRole('region', { name: 'Invoices' })).not.toBeInTheDocument();
    expect(server.requestsTo('invoices')).toEqual([]);
  });
});

describe('a return from the portal', () => {
  const paused = { ...premiumSubscription(), problem: null };

  test.each([
    [premiumSubscription(), canceled, /You canceled your subscription. You keep Premium until Dec 20, 2026/],
    [
      canceled,
      premiumSubscription({ card: CARD }),
      /You resumed your subscription. The next charge is on Dec 20/,
    ],
    [
      premiumSubscription({ card: CARD }),
      premiumSubscription({ card: { ...CARD, brand: 'mastercard', last4: '4444' } }),
      /now uses another card: Mastercard card ending in 4444/,
    ],
    [premiumSubscription(VIEWS.past_due_paid), paused, /Your payment went through/],
    [paused, paused, /Your plan has not changed/],
  ])('says what has changed there', async (before, after, text) => {
    logInUser();
    keepPlanBefore(before);
    const server = fakeServer({
      ...premium,
      subscription: () => ({ data: after }),
      refreshPlan: () => ({ data: after }),
    });
    openApp('/payments?from=portal');
    expect(await screen.findByText(text)).toBeVisible();
    expect(server.requestsTo('refreshPlan')).toHaveLength(1);
    expect(window.location.search).toBe('');
  });

  test('says that the plan is up to date where it is not known what it was before', async () => {
    logInUser();
    const reply = Promise.withResolvers<{ data: SubscriptionView }>();
    fakeServer({ ...premium, refreshPlan: () => reply.promise });
    openApp('/payments?from=portal');
    const notice = await screen.findByText('Loading your changes from Stripe');
    reply.resolve({ data: premiumSubscription({}) });
    await waitFor(() => expect(notice).toHaveTextContent('Your plan is up to date.'));
  });

  test('says that Stripe could not be read', async () => {
    logInUser();
    fakeServer({
      ...premium,
      refreshPlan: () => {
        throw apiFailure('billing.provider_unavailable');
      },
    });
    openApp('/payments?from=portal');
    expect(await screen.findByText(/could not load your changes from Stripe/)).toBeVisible();
  });
});
