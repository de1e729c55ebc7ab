import { type AlertKind, billingEndpoints } from '@shortlist/contracts/api/billing';
import { days } from '@shortlist/contracts/durations';
import { until } from '@shortlist/kit/testing/until';
import type { Stripe } from 'stripe';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { type Billing, openBilling } from './support.ts';

let billing: Billing;
beforeEach(async () => {
  await billing?.close();
  billing = await openBilling();
});
afterAll(() => billing.close());

const DISPUTE_FEE = 1_500;
const FEE = 201;

const dispute = (invoice: string, more: object = {}) =>
  billing.sandbox.control<Stripe.Dispute>('POST', `/invoices/${invoice}/dispute`, more);
const close = (id: string, status: 'won' | 'lost') =>
  billing.sandbox.control('POST', `/disputes/${id}/close`, { status });
const alerts = async (): Promise<[AlertKind, boolean][]> =>
  (await billing.call(billingEndpoints.listAlerts, {}, billing.asAdmin)).data.map(({ kind, resolvedAt }) => [
    kind,
    resolvedAt !== null,
  ]);
const expenses = async (): Promise<number> =>
  (await billing.call(billingEndpoints.earnings, { period: 'month' }, billing.asAdmin)).data.expenses;
/** Delivers the newest event of a type and waits until it is settled. */
const deliverNewest = async (type: string): Promise<void> => {
  const { data } = await billing.api.events.list({ type, limit: 1 });
  await billing.deliver(data[0] ?? {});
  await until('the event to be settled', async () => {
    const rows: { status: string }[] = await billing.db.query(
      'SELECT status FROM stripe_events WHERE event_id = ?',
      [data[0]?.id],
    );
    return rows[0]?.status !== 'pending';
  });
};

describe('a dispute', () => {
  it('is found by its charge, raises one alert, and does not change the plan while it is open', async () => {
    const { userId, invoice } = await billing.subscribe();
    const { id, charge } = await dispute(invoice);
    await deliverNewest('charge.dispute.created');
    await deliverNewest('charge.dispute.funds_withdrawn');
    expect(await billing.db.query('SELECT * FROM disputes')).toMatchObject([
      {
        dispute_id: id,
        invoice_id: invoice,
        user_id: userId,
        charge_id: charge,
        amount: 5_900,
        status: 'needs_response',
        reason: 'fraudulent',
        closed_at: null,
      },
    ]);
    expect(await alerts()).toEqual([['dispute_opened', false]]);
    expect((await billing.read(userId)).data).toMatchObject({
      plan: 'premium',
      continuation: 'renews',
      problem: { kind: 'disputed', amount: 5_900, payUrl: null, since: expect.any(String) },
    });
    expect(await billing.emitted(userId)).toEqual(['PaymentSucceeded', 'AlertRaised', 'SubscriptionChanged']);
    expect(await expenses()).toBe(FEE + 5_900 + DISPUTE_FEE);
  });

  it('that is lost ends the plan, cancels the subscription and leaves the money in the expenses', async () => {
    const { userId, subscription, invoice } = await billing.subscribe();
    const { id } = await dispute(invoice);
    await billing.reconcile();
    await billing.retryInbox();
    await billing.advance(days(1));
    await close(id, 'lost');
    await deliverNewest('charge.dispute.closed');
    expect((await billing.stateOf(userId)).plan).toBe('free');
    const { status, cancellation_details: details } = await billing.api.subscriptions.retrieve(subscription);
    expect({ status, comment: details?.comment }).toEqual({
      status: 'canceled',
      comment: 'shortlist:dispute',
    });
    expect(await billing.emitted(userId)).toEqual([
      'PaymentSucceeded',
      'AlertRaised',
      'SubscriptionChanged',
      'AlertRaised',
      'PlanRevoked',
    ]);
    const reasons = billing.bus
      .published('billing.events')
      .map(({ value }) => (JSON.parse(value) as { data: { reason?: string } }).data.reason)
      .filter(Boolean);
    expect(reasons).toEqual(['reconciliation', 'dispute']);
    expect(await alerts()).toEqual([
      ['dispute_lost', false],
      ['dispute_opened', true],
    ]);
    expect(await expenses()).toBe(FEE + 5_900 + DISPUTE_FEE);
    await billing.advance(days(40));
    await billing.reconcile();
    expect((await billing.stateOf(userId)).plan).toBe('free');
  });

  it('that is won keeps the plan, and leaves only its fee in the expenses', async () => {
    const { userId, invoice } = await billing.subscribe();
    const { id } = await dispute(invoice);
    await deliverNewest('charge.dispute.created');
    await close(id, 'won');
    await deliverNewest('charge.dispute.funds_reinstated');
    expect((await billing.stateOf(userId)).plan).toBe('premium');
    expect(await alerts()).toEqual([['dispute_opened', true]]);
    expect(await expenses()).toBe(FEE + DISPUTE_FEE);
  });

  it('of a deleted user is recorded and raises an alert', async () => {
    const { userId, invoice } = await billing.subscribe();
    await billing.remove(userId);
    const { id } = await dispute(invoice);
    await deliverNewest('charge.dispute.created');
    expect(await billing.db.query('SELECT dispute_id FROM disputes')).toEqual([{ dispute_id: id }]);
    expect(await alerts()).toContainEqual(['dispute_opened', false]);
  });

  it('without a delivered event is found by reconciliation', async () => {
    const { userId, invoice } = await billing.subscribe();
    const { id } = await dispute(invoice);
    await close(id, 'lost');
    await billing.reconcile();
    await billing.retryInbox();
    expect((await billing.stateOf(userId)).plan).toBe('free');
  });
});

describe('an early fraud warning', () => {
  it('raises one alert and does not change the plan', async () => {
    const { userId, customer } = await billing.subscribe();
    const { data } = await billing.api.charges.list({ customer });
    await billing.sandbox.control('POST', `/charges/${data[0]?.id ?? ''}/early_fraud_warning`);
    await deliverNewest('radar.early_fraud_warning.created');
    await deliverNewest('radar.early_fraud_warning.created');
    expect(await alerts()).toEqual([['early_fraud_warning', false]]);
    expect((await billing.stateOf(userId)).plan).toBe('premium');
    expect(await billing.emitted(userId)).toEqual(['PaymentSucceeded', 'AlertRaised']);
  });
});
