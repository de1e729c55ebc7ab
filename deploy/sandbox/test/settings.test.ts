import { describe, expect, it } from 'vitest';
import type Stripe from 'stripe';
import { DAY } from '../src/model/billing-cycle.rules.ts';
import { advance, firstItem, startSandbox, subscribe } from './support.ts';

const FAILS_LATER = '4000000000000341';
const THREE_WEEKS = [3, 7, 14, 21];

describe('asynchronous capture', () => {
  it('the balance transaction exists after the delay, and charge.updated reports it', async () => {
    const sandbox = await startSandbox({ at: '2026-11-20T00:00:00Z' });
    const { stripe } = sandbox;
    await sandbox.control('PUT', '/settings', { captureDelaySeconds: 60 });
    const { customer } = await subscribe(sandbox);
    const charge = firstItem(await stripe.charges.list({ customer: customer.id }));
    expect(charge).toMatchObject({ paid: true, balance_transaction: null });
    await advance(sandbox, 59);
    expect((await stripe.charges.retrieve(charge.id)).balance_transaction).toBeNull();
    await advance(sandbox, 1);
    const captured = await stripe.charges.retrieve(charge.id, { expand: ['balance_transaction'] });
    expect(captured.balance_transaction).toMatchObject({ amount: 5900, fee: 201, net: 5699 });
    const update = firstItem(await stripe.events.list({ type: 'charge.updated' }));
    expect(update.data.previous_attributes).toEqual({ balance_transaction: null });
  });

  it('the balance transaction exists at once when there is no delay', async () => {
    const sandbox = await startSandbox();
    const { customer } = await subscribe(sandbox);
    const charge = firstItem(await sandbox.stripe.charges.list({ customer: customer.id }));
    expect(charge.balance_transaction).toMatch(/^txn_/);
    expect((await sandbox.stripe.events.list({ type: 'charge.updated' })).data).toEqual([]);
  });
});

describe('settlement in another currency', () => {
  it('the balance transaction is in the currency of the account, with the rate', async () => {
    const sandbox = await startSandbox();
    const { stripe } = sandbox;
    await sandbox.control('PUT', '/settings', { settlementCurrency: 'eur', exchangeRate: 0.9 });
    const { customer } = await subscribe(sandbox);
    const charge = firstItem(
      await stripe.charges.list({ customer: customer.id, expand: ['data.balance_transaction'] }),
    );
    expect(charge).toMatchObject({
      amount: 5900,
      currency: 'usd',
      balance_transaction: { amount: 5310, currency: 'eur', exchange_rate: 0.9, fee: 184, net: 5126 },
    });
    const refund = await stripe.refunds.create({ charge: charge.id, expand: ['balance_transaction'] });
    expect(refund.balance_transaction).toMatchObject({ amount: -5310, currency: 'eur', fee: 0 });
  });
});

describe('retry schedule', () => {
  it('follows the setting and ends the subscription after the last retry', async () => {
    const sandbox = await startSandbox({
      at: '2026-11-20T00:00:00Z',
      config: { settings: { retryDays: THREE_WEEKS } },
    });
    const { stripe } = sandbox;
    const { subscription } = await subscribe(sandbox, FAILS_LATER);
    await advance(sandbox, 30 * DAY);
    const states = [];
    for (const wait of [0, 3, 4, 7, 7]) {
      await advance(sandbox, wait * DAY);
      const { status, latest_invoice } = await stripe.subscriptions.retrieve(subscription.id, {
        expand: ['latest_invoice'],
      });
      const next = (latest_invoice as Stripe.Invoice).next_payment_attempt;
      states.push([status, next && new Date(next * 1000).toISOString().slice(0, 10)]);
    }
    expect(states).toEqual([
      ['past_due', '2026-12-23'],
      ['past_due', '2026-12-27'],
      ['past_due', '2027-01-03'],
      ['past_due', '2027-01-10'],
      ['canceled', null],
    ]);
  });

  it('an account without retries ends the subscription at the first failure', async () => {
    const sandbox = await startSandbox();
    await sandbox.control('PUT', '/settings', { retryDays: [] });
    const { subscription } = await subscribe(sandbox, FAILS_LATER);
    await advance(sandbox, 31 * DAY);
    expect((await sandbox.stripe.subscriptions.retrieve(subscription.id)).status).toBe('canceled');
  });

  it('a reset restores the settings of the start', async () => {
    const sandbox = await startSandbox();
    await sandbox.control('PUT', '/settings', { captureDelaySeconds: 60 });
    await sandbox.control('POST', '/reset');
    const { body } = await sandbox.control('PUT', '/settings', {});
    expect(body).toMatchObject({ captureDelaySeconds: 0, retryDays: [3, 5, 7], portalConfigured: true });
    expect((await sandbox.control('PUT', '/settings', { retryDays: ['often'] })).status).toBe(400);
  });
});

describe('tax', () => {
  it('is added to each invoice at the rate of the setting, after the discount', async () => {
    const sandbox = await startSandbox();
    await sandbox.control('PUT', '/settings', { taxPercent: 20 });
    const { customer } = await subscribe(sandbox);
    const invoice = firstItem(await sandbox.stripe.invoices.list({ customer: customer.id }));
    expect(invoice).toMatchObject({
      subtotal: 5900,
      total: 7080,
      amount_paid: 7080,
      total_taxes: [{ amount: 1180, taxable_amount: 5900 }],
      automatic_tax: { enabled: false },
    });
  });
});

describe('a limit of calls', () => {
  it('refuses the calls beyond it within a second', async () => {
    const { stripe, control } = await startSandbox();
    await control('PUT', '/settings', { callsPerSecond: 3 });
    const outcomes = await Promise.allSettled([1, 2, 3, 4, 5].map(() => stripe.customers.list()));
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(2);
    expect(refused[0]).toMatchObject({ reason: { type: 'StripeRateLimitError', code: 'rate_limit' } });
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    expect((await stripe.customers.list()).data).toEqual([]);
  });

  it('can be combined with a latency of each call', async () => {
    const { stripe, control } = await startSandbox();
    await control('PUT', '/settings', { latencyMs: 120 });
    const startedAt = performance.now();
    await stripe.customers.list();
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(115);
  });
});
