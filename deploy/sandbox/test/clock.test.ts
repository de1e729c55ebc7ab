import { describe, expect, it } from 'vitest';
import type Stripe from 'stripe';
import { DAY } from '../src/model/billing-cycle.rules.ts';
import { advance, openCheckout, startSandbox, subscribe, type RunningSandbox, idOf } from './support.ts';

const FAILS_LATER = '4000000000000341';

const typesSince = async ({ stripe }: RunningSandbox, count: number): Promise<string[]> => {
  const events = await stripe.events.list({ limit: 100 }).autoPagingToArray({ limit: 1000 });
  return events
    .reverse()
    .slice(count)
    .map(({ type }) => type);
};

const eventCount = async ({ stripe }: RunningSandbox): Promise<number> =>
  (await stripe.events.list({ limit: 100 }).autoPagingToArray({ limit: 1000 })).length;

const periodOf = (subscription: Stripe.Subscription) => {
  const item = subscription.items.data[0];
  return [item?.current_period_start, item?.current_period_end].map((at) =>
    new Date((at ?? 0) * 1000).toISOString().slice(0, 10),
  );
};

describe('sandbox clock', () => {
  it('moves all timestamps', async () => {
    const sandbox = await startSandbox({ at: '2026-11-20T00:00:00Z' });
    await advance(sandbox, 10 * DAY);
    const customer = await sandbox.stripe.customers.create({});
    expect(new Date(customer.created * 1000).toISOString()).toBe('2026-11-30T00:00:00.000Z');
    const { body } = await sandbox.control('GET', '/clock');
    expect(body).toEqual({ now: customer.created, offsetSeconds: 10 * DAY });
  });

  it('several renewals run at their own times, on the last day of shorter months', async () => {
    const sandbox = await startSandbox({ at: '2027-01-31T12:00:00Z' });
    const { stripe } = sandbox;
    const { subscription } = await subscribe(sandbox);
    expect(periodOf(subscription)).toEqual(['2027-01-31', '2027-02-28']);
    await advance(sandbox, 95 * DAY);
    const renewed = await stripe.subscriptions.retrieve(subscription.id);
    expect(periodOf(renewed)).toEqual(['2027-04-30', '2027-05-31']);
    const invoices = await stripe.invoices.list({ subscription: subscription.id });
    const invoiceRows = invoices.data.map(({ created, billing_reason, status }) => {
      return [new Date(created * 1000).toISOString(), billing_reason, status];
    });
    expect(invoiceRows).toEqual([
      ['2027-04-30T12:00:00.000Z', 'subscription_cycle', 'paid'],
      ['2027-03-31T12:00:00.000Z', 'subscription_cycle', 'paid'],
      ['2027-02-28T12:00:00.000Z', 'subscription_cycle', 'paid'],
      ['2027-01-31T12:00:00.000Z', 'subscription_create', 'paid'],
    ]);
  });

  it('the events of a first payment and of a renewal are in Stripe’s order', async () => {
    const sandbox = await startSandbox();
    await subscribe(sandbox);
    const first = await typesSince(sandbox, 3);
    expect(first.filter((type) => !type.startsWith('customer.updated'))).toEqual([
      'payment_method.attached',
      'checkout.session.completed',
      'customer.subscription.created',
      'invoice.created',
      'invoice.finalized',
      'charge.succeeded',
      'payment_intent.succeeded',
      'invoice_payment.paid',
      'invoice.paid',
      'invoice.payment_succeeded',
    ]);
    const count = await eventCount(sandbox);
    await advance(sandbox, 31 * DAY);
    expect(await typesSince(sandbox, count)).toEqual([
      'customer.subscription.updated',
      'invoice.created',
      'invoice.finalized',
      'charge.succeeded',
      'payment_intent.succeeded',
      'invoice_payment.paid',
      'invoice.paid',
      'invoice.payment_succeeded',
    ]);
  });

  it('a failed renewal is retried after 3, 5 and 7 days, then the subscription ends', async () => {
    const sandbox = await startSandbox({ at: '2026-11-20T00:00:00Z' });
    const { stripe } = sandbox;
    const { subscription } = await subscribe(sandbox, FAILS_LATER);
    await advance(sandbox, 30 * DAY);
    const states = [];
    for (const wait of [0, 3, 2, 2]) {
      await advance(sandbox, wait * DAY);
      const { status, latest_invoice } = await stripe.subscriptions.retrieve(subscription.id, {
        expand: ['latest_invoice'],
      });
      const { attempt_count, next_payment_attempt } = latest_invoice as Stripe.Invoice;
      const next = next_payment_attempt && new Date(next_payment_attempt * 1000).toISOString().slice(0, 10);
      states.push([status, attempt_count, next]);
    }
    expect(states).toEqual([
      ['past_due', 1, '2026-12-23'],
      ['past_due', 2, '2026-12-25'],
      ['past_due', 3, '2026-12-27'],
      ['canceled', 4, null],
    ]);
    const ended = await stripe.subscriptions.retrieve(subscription.id);
    expect(ended.cancellation_details?.reason).toBe('payment_failed');
    const failures = await stripe.events.list({ type: 'invoice.payment_failed' });
    expect(failures.data).toHaveLength(4);
  });

  it('a failed renewal ends the subscription at the same time when the clock moves in one step', async () => {
    const sandbox = await startSandbox({ at: '2026-11-20T00:00:00Z' });
    const { subscription } = await subscribe(sandbox, FAILS_LATER);
    await advance(sandbox, 60 * DAY);
    const ended = await sandbox.stripe.subscriptions.retrieve(subscription.id);
    expect(new Date((ended.ended_at ?? 0) * 1000).toISOString()).toBe('2026-12-27T00:00:00.000Z');
  });

  it('a new card and a manual payment reactivate a past-due subscription', async () => {
    const sandbox = await startSandbox();
    const { stripe, control } = sandbox;
    const { subscription, customer } = await subscribe(sandbox, FAILS_LATER);
    await advance(sandbox, 31 * DAY);
    const { latest_invoice } = await stripe.subscriptions.retrieve(subscription.id);
    const declined = stripe.invoices.pay(idOf(latest_invoice));
    await expect(declined).rejects.toMatchObject({
      type: 'StripeCardError',
      decline_code: 'generic_decline',
    });
    await control('POST', `/customers/${customer.id}/card`, { card: '4242424242424242' });
    expect((await stripe.invoices.pay(idOf(latest_invoice))).status).toBe('paid');
    expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe('active');
    expect((await stripe.customers.retrieve(customer.id)) as Stripe.Customer).toMatchObject({
      delinquent: false,
    });
    await expect(stripe.invoices.pay(idOf(latest_invoice))).rejects.toThrow('already paid');
  });

  it('a new card before a scheduled retry reactivates the subscription', async () => {
    const sandbox = await startSandbox();
    const { stripe, control } = sandbox;
    const { subscription, customer } = await subscribe(sandbox);
    await control('POST', `/customers/${customer.id}/card`, { card: '4000000000009995' });
    await advance(sandbox, 31 * DAY);
    expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe('past_due');
    await control('POST', `/customers/${customer.id}/card`, { card: '5555555555554444' });
    await advance(sandbox, 3 * DAY);
    expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe('active');
  });

  it('a renewal with a card that requires authentication reports that action is required', async () => {
    const sandbox = await startSandbox();
    const { stripe } = sandbox;
    const { subscription } = await subscribe(sandbox, '4000002760003184');
    await advance(sandbox, 31 * DAY);
    expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe('past_due');
    expect((await stripe.events.list({ type: 'invoice.payment_action_required' })).data).toHaveLength(1);
  });

  it('a subscription set to cancel ends at its period end', async () => {
    const sandbox = await startSandbox({ at: '2026-11-20T00:00:00Z' });
    const { stripe } = sandbox;
    const { subscription } = await subscribe(sandbox);
    await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true });
    await advance(sandbox, 29 * DAY);
    expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe('active');
    await advance(sandbox, 1 * DAY);
    expect(await stripe.subscriptions.retrieve(subscription.id)).toMatchObject({
      status: 'canceled',
      ended_at: subscription.items.data[0]?.current_period_end,
    });
    expect((await stripe.invoices.list({ subscription: subscription.id })).data).toHaveLength(1);
  });

  it('a checkout session expires after a day', async () => {
    const sandbox = await startSandbox();
    const { session } = await openCheckout(sandbox.stripe);
    await advance(sandbox, DAY);
    expect(await sandbox.stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
      status: 'expired',
      url: null,
    });
    const pay = await sandbox.control('POST', `/checkout_sessions/${session.id}/pay`, {});
    expect(pay.status).toBe(400);
    expect((await sandbox.stripe.events.list({ type: 'checkout.session.expired' })).data).toHaveLength(1);
  });
});
