import type { Stripe } from 'stripe';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { days } from '@shortlist/contracts/durations';
import { type Billing, openBilling } from './support.ts';

let billing: Billing;
beforeEach(async () => {
  await billing?.close();
  billing = await openBilling();
});
afterAll(() => billing.close());

const rowsOf = (table: string): Promise<Record<string, unknown>[]> =>
  billing.db.query(`SELECT * FROM ${table}`);
/** Reconciliation finds no event, as after the thirty days for which Stripe keeps them. */
const withoutEvents = (): void =>
  void Object.assign(billing.stripe, { listEvents: () => Promise.resolve({ data: [], next: null }) });
const payOut = async (): Promise<Stripe.Payout> => {
  await billing.sandbox.control('POST', '/payouts');
  const [payout] = (await billing.api.payouts.list()).data;
  if (payout === undefined) throw new Error('nothing was paid out');
  return payout;
};
const dispute = (invoice: string) =>
  billing.sandbox.control<Stripe.Dispute>('POST', `/invoices/${invoice}/dispute`);

describe('the history of subscriptions', () => {
  it('states when each started, was canceled and ended, why, and at which price', async () => {
    const { userId, subscription, invoice } = await billing.subscribe();
    await billing.advance(days(1));
    await billing.sandbox.control('POST', `/invoices/${invoice}/refund`);
    await billing.reconcile();
    await billing.advance(days(1));
    const again = await billing.subscribe(userId);
    const canceledAt = new Date(billing.clock().getTime() - days(1));
    const rows = await rowsOf('subscriptions ORDER BY started_at');
    expect(rows).toMatchObject([
      {
        subscription_id: subscription,
        user_id: userId,
        status: 'canceled',
        canceled_at: canceledAt,
        ended_at: canceledAt,
        cancel_reason: 'shortlist:refund',
        price_amount: 5_900,
      },
      { subscription_id: again.subscription, status: 'active', ended_at: null, price_currency: 'usd' },
    ]);
  });

  it('is filled in from the list, without a call for each customer', async () => {
    await billing.subscribe();
    await billing.reconcile();
    await billing.db.query('DELETE FROM subscriptions');
    withoutEvents();
    await billing.sandbox.control('PUT', '/faults', { path: '/v1/charges', status: 500, times: 100 });
    expect(await billing.reconcile()).toMatchObject({ failed: 0, repaired: [] });
    expect(await rowsOf('subscriptions')).toMatchObject([{ status: 'active' }]);
  });

  it.each([
    ['status', "'past_due'"],
    ['price_amount', '1'],
    ['canceled_at', 'NOW()'],
    ['cancel_reason', "'payment_failed'"],
  ])('is repaired where the stored %s differs', async (column, value) => {
    await billing.subscribe();
    const [stored] = await rowsOf('subscriptions');
    await billing.db.query(`UPDATE subscriptions SET ${column} = ${value}`);
    withoutEvents();
    await billing.reconcile();
    expect(await rowsOf('subscriptions')).toEqual([stored]);
  });
});

describe('invoices', () => {
  it.each([
    ['number', "''"],
    ['billing_reason', 'NULL'],
    ['subtotal', '1'],
    ['total', '1'],
    ['period_start', 'NULL'],
    ['paid_at', 'NOW()'],
    ['subscription_id', 'NULL'],
  ])('are repaired where the stored %s differs', async (column, value) => {
    await billing.subscribe();
    const [stored] = await rowsOf('invoices');
    await billing.db.query(`UPDATE invoices SET ${column} = ${value}`);
    withoutEvents();
    await billing.reconcile();
    expect(await rowsOf('invoices')).toEqual([stored]);
  });

  it('that are missing are filled in with their fee, and nothing is read again afterwards', async () => {
    const { userId } = await billing.subscribe();
    const [stored] = await rowsOf('invoices');
    await billing.db.query('DELETE FROM invoices');
    withoutEvents();
    await billing.reconcile();
    expect(await rowsOf('invoices')).toEqual([stored]);
    await billing.sandbox.control('PUT', '/faults', { path: '/v1/charges', status: 500, times: 100 });
    expect(await billing.reconcile()).toMatchObject({ failed: 0 });
    expect((await billing.stateOf(userId)).plan).toBe('premium');
  });
});

describe('fees and refunds', () => {
  it.each([
    ['fee', 'UPDATE invoices SET fee = 1'],
    ['settlement currency', "UPDATE invoices SET settlement_currency = 'eur'"],
    ['settlement amount', 'UPDATE invoices SET settlement_amount = 1'],
    ['exchange rate', 'UPDATE invoices SET exchange_rate = 0.5'],
    ['date of booking', "UPDATE invoices SET booked_at = '2026-02-01'"],
    ['refunded sum', 'UPDATE invoices SET refunded = 0'],
    ['amount of a refund', 'UPDATE refunds SET amount = 1'],
    ['month of a refund', "UPDATE refunds SET created_at = '2026-02-01'"],
    ['failure of a refund', 'UPDATE refunds SET failed_at = NULL WHERE failed_at IS NOT NULL'],
    ['time of a failure', "UPDATE refunds SET failed_at = '2026-05-01' WHERE failed_at IS NOT NULL"],
    ['refund itself', 'DELETE FROM refunds'],
  ])('are repaired where the stored %s differs, once', async (_, statement) => {
    await billing.sandbox.control('PUT', '/settings', { taxPercent: 8 });
    const { invoice } = await billing.subscribe();
    const refund = (amount: number) =>
      billing.sandbox.control<{ id: string }>('POST', `/invoices/${invoice}/refund`, { amount });
    await billing.sandbox.control('POST', `/refunds/${(await refund(1_000)).id}/fail`);
    await refund(500);
    await billing.reconcile();
    const read = async () => [await rowsOf('invoices'), await rowsOf('refunds ORDER BY refund_id')];
    const stored = await read();
    expect(stored[1]).toHaveLength(2);
    withoutEvents();
    await billing.db.query(statement);
    expect(await read()).not.toEqual(stored);
    await billing.reconcile();
    expect(await read()).toEqual(stored);
    await billing.sandbox.control('PUT', '/faults', { path: '/v1/charges', status: 500, times: 100 });
    expect(await billing.reconcile(), 'nothing is read again').toMatchObject({ failed: 0 });
  });

  it('of another product are ignored', async () => {
    const { customer } = await billing.subscribe();
    await billing.reconcile();
    const foreign = { id: 're_x', chargeId: 'ch_other', amount: 5, createdAt: new Date(), failedAt: null };
    const page = { data: [{ ...foreign, isReturned: false, hasMoved: true }], next: null };
    Object.assign(billing.stripe, { listRefunds: () => Promise.resolve(page) });
    withoutEvents();
    await billing.sandbox.control('PUT', '/faults', { path: '/v1/charges', status: 500, times: 100 });
    expect(await billing.reconcile(), customer).toMatchObject({ failed: 0 });
  });
});

describe('disputes', () => {
  it.each([
    ['the dispute', 'DELETE FROM disputes'],
    ['its money', 'DELETE FROM dispute_transactions'],
    ['its status', "UPDATE disputes SET status = 'won'"],
  ])('are repaired when %s is missing or wrong', async (_, statement) => {
    const { invoice } = await billing.subscribe();
    await dispute(invoice);
    await billing.reconcile();
    await billing.retryInbox();
    const stored = [await rowsOf('disputes'), await rowsOf('dispute_transactions')];
    expect(stored.map(({ length }) => length)).toEqual([1, 1]);
    await billing.db.query(statement);
    withoutEvents();
    await billing.reconcile();
    expect([await rowsOf('disputes'), await rowsOf('dispute_transactions')]).toEqual(stored);
  });
});

describe('payouts', () => {
  it('are stored by their event', async () => {
    await billing.subscribe();
    await billing.advance(days(3));
    const { id, amount, currency } = await payOut();
    const { data } = await billing.api.events.list({ type: 'payout.created' });
    await billing.deliver(data[0] ?? {});
    await billing.intake.stop();
    expect(await rowsOf('payouts')).toMatchObject([{ payout_id: id, amount, currency }]);
  });

  it('are filled in and corrected from the list', async () => {
    await billing.subscribe();
    await billing.advance(days(3));
    const { id, amount } = await payOut();
    withoutEvents();
    await billing.reconcile();
    const stored = await rowsOf('payouts');
    expect(stored).toMatchObject([{ payout_id: id, amount }]);
    await billing.db.query("UPDATE payouts SET status = 'failed'");
    await billing.reconcile();
    expect(await rowsOf('payouts')).toEqual(stored);
  });
});
