import { days, inSeconds } from '@shortlist/contracts/durations';
import type Stripe from 'stripe';
import { describe, expect, it } from 'vitest';
import { problemsOf } from './published.ts';
import {
  advance,
  firstItem,
  idOf,
  openCheckout,
  type RunningSandbox,
  startSandbox,
  subscribe,
} from './support.ts';

const CARDS = {
  declinedLater: '4000000000000341',
  authentication: '4000002760003184',
};

const post = async <T = unknown>(sandbox: RunningSandbox, path: string, body: object = {}): Promise<T> => {
  const { status, body: reply } = await sandbox.control('POST', path, body);
  if (status !== 200) throw new Error(`${path}: ${JSON.stringify(reply)}`);
  return reply as T;
};

describe("the sandbox's objects have the fields that Stripe publishes", () => {
  it('in each event of payments, refunds, disputes, declines and debits', async () => {
    const sandbox = await startSandbox({ at: '2026-03-01T12:00:00Z' });
    const { stripe } = sandbox;
    const { subscription, customer } = await subscribe(sandbox);
    const invoice = idOf(subscription.latest_invoice);
    const charge = firstItem(await stripe.charges.list({ customer: customer.id }));
    const refund = await stripe.refunds.create({ charge: charge.id, amount: 100 });
    await post(sandbox, `/refunds/${refund.id}/fail`);
    await post(sandbox, `/charges/${charge.id}/early_fraud_warning`);
    const dispute = await post<Stripe.Dispute>(sandbox, `/invoices/${invoice}/dispute`);
    await post(sandbox, `/disputes/${dispute.id}/close`, { status: 'lost' });
    await subscribe(sandbox, CARDS.declinedLater);
    const { session } = await openCheckout(stripe);
    await stripe.checkout.sessions.expire(session.id);
    for (const day of [32, 3, 5, 7]) await advance(sandbox, inSeconds(days(day)));
    await post(sandbox, '/payouts');
    await post(sandbox, `/subscriptions/${subscription.id}/pause`);
    await stripe.customers.del(customer.id);
    const events: Stripe.Event[] = await stripe.events
      .list({ limit: 100 })
      .autoPagingToArray({ limit: 1_000 });
    expect(events.length).toBeGreaterThan(40);
    expect(problemsOf(events.map(({ data }) => data.object as { object: string }))).toEqual([]);
  });

  it('in each event of a debit, a confirmation, a coupon and another settlement currency', async () => {
    const sandbox = await startSandbox({ at: '2026-03-01T12:00:00Z' });
    const { stripe } = sandbox;
    await sandbox.control('PUT', '/settings', { settlementCurrency: 'eur', exchangeRate: 0.85 });
    const debit = await openCheckout(stripe);
    await post(sandbox, `/checkout_sessions/${debit.session.id}/pay`, { method: 'bank_debit' });
    const [pending] = (await stripe.invoices.list({ customer: debit.customer.id })).data;
    await post(sandbox, `/invoices/${pending?.id}/settle`, { outcome: 'failed' });
    const coupon = await openCheckout(stripe);
    await post(sandbox, `/checkout_sessions/${coupon.session.id}/pay`, { percentOff: 100 });
    await subscribe(sandbox, CARDS.authentication);
    await sandbox.control('PUT', '/settings', { finalizationFails: true });
    await advance(sandbox, inSeconds(days(32)));
    const events = await stripe.events.list({ limit: 100 }).autoPagingToArray({ limit: 1_000 });
    expect(problemsOf(events.map(({ data }) => data.object as { object: string }))).toEqual([]);
  });

  it('in each list that reconciliation reads, with what it expands', async () => {
    const sandbox = await startSandbox();
    const { stripe } = sandbox;
    const { customer, subscription } = await subscribe(sandbox);
    const charges = await stripe.charges.list({
      customer: customer.id,
      expand: ['data.balance_transaction', 'data.refunds'],
    });
    await stripe.refunds.create({ charge: firstItem(charges).id, amount: 100 });
    const portal = { customer: customer.id, return_url: 'http://127.0.0.1:9/' };
    const lists = await Promise.all([
      stripe.subscriptions.list({ status: 'all' }),
      stripe.invoices.list({ expand: ['data.payments'] }),
      stripe.refunds.list(),
      stripe.balanceTransactions.list(),
      stripe.paymentIntents.list({ customer: customer.id }),
      stripe.invoicePayments.list({ invoice: idOf(subscription.latest_invoice) }),
      stripe.prices.list(),
      stripe.checkout.sessions.list(),
    ]);
    // The client parses decimals into objects of its own; as JSON they are text again.
    const sent = JSON.stringify([
      ...charges.data,
      ...lists.flatMap(({ data }): { object: string }[] => data),
      await stripe.billingPortal.sessions.create(portal),
    ]);
    expect(problemsOf(JSON.parse(sent) as { object: string }[])).toEqual([]);
  });
});
