import { randomUUID } from 'node:crypto';
import { paymentEndpoints } from '@shortlist/contracts/api/payments';
import { paymentRefunded, planRevoked } from '@shortlist/contracts/events/billing';
import { days, hours } from '@shortlist/contracts/durations';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { refundPayment } from '../src/payments/refund-payment.ts';
import { packsIn } from './pack-support.ts';
import { type Billing, codeOf, openBilling, times } from './support.ts';

let billing: Billing;
beforeAll(async () => {
  billing = await openBilling();
});
afterEach(() => billing.sandbox.control('DELETE', '/faults'));
afterAll(() => billing.close());

const REASON = 'Not used';

const read = async (invoiceId: string) =>
  (await billing.call(paymentEndpoints.getPayment, { invoiceId }, billing.asAdmin)).data;
/** By an admin who sees what is left, or saw it before. */
const refund = async (invoiceId: string, amount: number, { key = randomUUID(), left = -1 } = {}) => {
  const seen =
    left < 0
      ? await read(invoiceId).then(
          (data) => data.left,
          () => 0,
        )
      : left;
  return billing.call(
    paymentEndpoints.refundPayment,
    { invoiceId, amount, left: seen, reason: REASON },
    { ...billing.asAdmin, headers: { 'idempotency-key': key } },
  );
};
const refundsAtStripe = async (invoiceId: string): Promise<number[]> => {
  const { chargeId } = await read(invoiceId);
  const { data } = await billing.api.refunds.list({ charge: chargeId ?? '', limit: 100 });
  return data.map(({ amount }) => amount);
};
type Entry = { before_state: string; after_state: string };
const recorded = async (userId: string): Promise<Record<string, unknown>[]> => {
  const rows: Entry[] = await billing.db.query(
    "SELECT after_state FROM audit_log WHERE target_id = ? AND action = 'payment.refund' ORDER BY id",
    [userId],
  );
  return rows.map(({ after_state: after }) => JSON.parse(after) as Record<string, unknown>);
};
const statusOf = async (subscription: string): Promise<string> =>
  (await billing.api.subscriptions.retrieve(subscription)).status;

describe('a refund by an admin', () => {
  it('of a part leaves the plan, of the rest ends it with its subscription, each recorded with its reason', async () => {
    const { userId, subscription, invoice } = await billing.subscribe();
    expect(await read(invoice)).toMatchObject({ state: 'paid', left: 5_900, effect: 'plan', refunds: [] });
    const { data: first } = await refund(invoice, 2_950);
    expect(first).toMatchObject({ amount: 2_950, failedAt: null });
    expect(await read(invoice)).toMatchObject({
      state: 'partly_refunded',
      left: 2_950,
      refunds: [{ refundId: first.refundId, amount: 2_950 }],
    });
    expect((await billing.read(userId)).data).toMatchObject({ plan: 'premium', renews: true });
    const { data: second } = await refund(invoice, 2_950);
    expect(await read(invoice)).toMatchObject({ state: 'refunded', left: 0, effect: 'nothing' });
    expect((await billing.read(userId)).data.plan).toBe('free');
    expect(await statusOf(subscription)).toBe('canceled');
    expect(await recorded(userId)).toEqual([
      { invoice, refund: first.refundId, amount: 2_950, currency: 'usd', reason: REASON },
      { invoice, refund: second.refundId, amount: 2_950, currency: 'usd', reason: REASON },
    ]);
    expect(await billing.emittedData(userId, paymentRefunded)).toHaveLength(2);
    expect(await billing.emittedData(userId, planRevoked)).toMatchObject([{ reason: 'refund' }]);
  });

  it('of an earlier period changes nothing about the plan', async () => {
    const { userId, invoice } = await billing.subscribe();
    await billing.advance(days(31) + hours(1));
    await billing.reconcile();
    expect(await read(invoice)).toMatchObject({ effect: 'nothing' });
    await refund(invoice, 5_900);
    expect((await billing.read(userId)).data).toMatchObject({ plan: 'premium', renews: true });
  });

  it('of a pack takes back its share of the credits, once', async () => {
    const { userId, invoice } = await packsIn(billing).buyPack();
    const { states, packsOf } = packsIn(billing);
    expect((await read(invoice)).effect).toBe('pack');
    await refund(invoice, 500);
    await billing.reconcile();
    expect(await packsOf(userId)).toMatchObject([{ paidCredits: 184, state: 'partly_refunded' }]);
    await refund(invoice, 1_400);
    expect(await states(userId)).toEqual([
      [1, 250],
      [2, 184],
      [3, 0],
    ]);
  });

  it('is never more than is left, also of what was refunded at Stripe meanwhile', async () => {
    const { userId, invoice } = await billing.subscribe();
    expect(await refund(invoice, 5_901).catch(codeOf)).toBe('billing.refund_too_high');
    await packsIn(billing).refund(invoice, 5_000);
    const refused = await refund(invoice, 901).catch((error: { fields: object }) => error.fields);
    expect(refused).toEqual({ amount: 'At most $9.00 is left of this payment' });
    // The page shows what is left now.
    expect(await read(invoice)).toMatchObject({ left: 900, refunded: 5_000 });
    await refund(invoice, 900);
    expect(await refund(invoice, 1).catch((error: { fields: object }) => error.fields)).toEqual({
      amount: 'Nothing is left of this payment',
    });
    expect((await refundsAtStripe(invoice)).toSorted()).toEqual([5_000, 900]);
    expect(await recorded(userId)).toHaveLength(1);
  });

  it('of a payment that a dispute withholds is refused in words, and nothing is recorded', async () => {
    const { userId, invoice } = await billing.subscribe();
    await billing.sandbox.control('POST', `/invoices/${invoice}/dispute`);
    expect(await refund(invoice, 100).catch(codeOf)).toBe('billing.refund_refused');
    expect(await read(invoice)).toMatchObject({ state: 'disputed', left: 0 });
    expect(await recorded(userId)).toEqual([]);
  });

  it('needs a payment, a key, an amount and a reason', async () => {
    const { invoice } = await billing.subscribe();
    expect(await refund('in_none', 100).catch(codeOf)).toBe('billing.invoice_not_found');
    const keyless = billing.call(
      paymentEndpoints.refundPayment,
      { invoiceId: invoice, amount: 100, left: 5_900, reason: REASON },
      billing.asAdmin,
    );
    expect(await keyless.catch(codeOf)).toBe('billing.idempotency_key_missing');
    for (const amount of [0, -1, 1.5, 3_000_000_000])
      expect(await refund(invoice, amount).catch(codeOf)).toBe('request.invalid');
    expect(await refundsAtStripe(invoice)).toEqual([]);
  });
});

describe('F16 a refund that is requested again', () => {
  it('with its key is made and recorded once, and gets the same response', async () => {
    const { userId, invoice } = await billing.subscribe();
    const key = randomUUID();
    const first = await refund(invoice, 1_000, { key });
    expect(await refund(invoice, 1_000, { key })).toEqual(first);
    expect(await refund(invoice, 2_000, { key }).catch(codeOf)).toBe('billing.key_reused');
    // All of it, so that nothing would be left for a second one.
    const all = randomUUID();
    const rest = await refund(invoice, 4_900, { key: all });
    expect(await refund(invoice, 4_900, { key: all })).toEqual(rest);
    expect(await refundsAtStripe(invoice)).toEqual([4_900, 1_000]);
    expect(await recorded(userId)).toHaveLength(2);
  });

  it('after Stripe made it and the response was lost is made once and recorded', async () => {
    const { userId, invoice } = await billing.subscribe();
    const key = randomUUID();
    const lost = { method: 'POST', path: '/v1/refunds', reset: true, times: 10 };
    await billing.sandbox.control('PUT', '/faults', lost);
    expect(await refund(invoice, 5_900, { key }).catch(codeOf)).toBe('billing.provider_unavailable');
    expect(await refundsAtStripe(invoice)).toEqual([5_900]);
    await billing.sandbox.control('DELETE', '/faults');
    await refund(invoice, 5_900, { key });
    expect(await refundsAtStripe(invoice)).toEqual([5_900]);
    expect(await recorded(userId)).toHaveLength(1);
    expect((await billing.read(userId)).data.plan).toBe('free');
  });

  it('after the process ended before it was recorded is recorded', async () => {
    const { userId, invoice } = await billing.subscribe();
    const order = { invoiceId: invoice, amount: 700, left: 5_900, reason: REASON, order: randomUUID() };
    let reads = 0;
    const dying = {
      ...billing.stripe,
      readCustomer: (customerId: string) => {
        reads += 1;
        return reads > 1 ? Promise.reject(new Error('killed')) : billing.stripe.readCustomer(customerId);
      },
    };
    const { caller } = billing.asAdmin;
    await expect(refundPayment({ ...billing, stripe: dying }, order, caller)).rejects.toThrow('killed');
    expect(await recorded(userId)).toEqual([]);
    await refundPayment(billing, order, caller);
    expect(await refundsAtStripe(invoice)).toEqual([700]);
    expect(await recorded(userId)).toHaveLength(1);
  });
});

describe('F14 refunds of a part of a pack', () => {
  it('by two admins who saw the same take their share once', async () => {
    const { userId, invoice } = await packsIn(billing).buyPack();
    const { states, packsOf } = packsIn(billing);
    const half = () => refund(invoice, 950, { left: 1_900 });
    const results = await Promise.allSettled([half(), half()]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await billing.reconcile();
    expect(await refundsAtStripe(invoice)).toEqual([950]);
    expect(await packsOf(userId)).toMatchObject([{ paidCredits: 125, state: 'partly_refunded' }]);
    expect(await states(userId)).toEqual([
      [1, 250],
      [2, 125],
    ]);
  });

  it('one after the other take what one refund of their sum takes', async () => {
    const { userId, invoice } = await packsIn(billing).buyPack();
    const { packsOf } = packsIn(billing);
    for (const amount of [7, 7, 486]) await refund(invoice, amount);
    expect(await packsOf(userId)).toMatchObject([{ paidCredits: 184 }]);
    await refund(invoice, 1_392);
    expect(await packsOf(userId)).toMatchObject([{ paidCredits: 1, state: 'partly_refunded' }]);
    await refund(invoice, 8);
    expect(await packsOf(userId)).toMatchObject([{ paidCredits: 0, state: 'refunded' }]);
  });

  it('before a dispute lose all until it is won, and then have their share again', async () => {
    const { userId, invoice } = await packsIn(billing).buyPack();
    const { packsOf, states } = packsIn(billing);
    await refund(invoice, 500);
    const { id } = await billing.sandbox.control<{ id: string }>('POST', `/invoices/${invoice}/dispute`);
    await billing.reconcile();
    expect(await packsOf(userId)).toMatchObject([{ paidCredits: 0, state: 'disputed' }]);
    expect(await refund(invoice, 100, { left: 1_400 }).catch(codeOf)).toBe('billing.refund_refused');
    await billing.sandbox.control('POST', `/disputes/${id}/close`, { status: 'won' });
    await billing.reconcile();
    expect((await states(userId)).map(([, credits]) => credits)).toEqual([250, 184, 0, 184]);
  });

  it('while a dispute opens take their share or are refused, and the pack is withdrawn either way', async () => {
    const { userId, invoice } = await packsIn(billing).buyPack();
    const { packsOf } = packsIn(billing);
    const opening = billing.sandbox.control('POST', `/invoices/${invoice}/dispute`);
    const results = await Promise.allSettled([refund(invoice, 500, { left: 1_900 }), opening]);
    await billing.reconcile();
    expect(await packsOf(userId)).toMatchObject([{ paidCredits: 0, state: 'disputed' }]);
    const made = results[0]?.status === 'fulfilled' ? [500] : [];
    expect(await refundsAtStripe(invoice)).toEqual(made);
    expect(await recorded(userId)).toHaveLength(made.length);
  });
});

describe('F16 refunds at once', () => {
  it('of all by two admins return the money once', async () => {
    const { userId, invoice } = await billing.subscribe();
    const results = await Promise.allSettled([refund(invoice, 5_900), refund(invoice, 5_900)]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const refused = results.find((result) => result.status === 'rejected');
    expect(refused?.reason).toMatchObject({ code: 'billing.refund_too_high' });
    expect(await refundsAtStripe(invoice)).toEqual([5_900]);
    expect(await recorded(userId)).toHaveLength(1);
  });

  it('of a part by two admins who saw the same return it once, and the other sees what is left', async () => {
    const { userId, invoice } = await billing.subscribe();
    const half = () => refund(invoice, 2_950, { left: 5_900 });
    const results = await Promise.allSettled([half(), half()]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const refused = results.find((result) => result.status === 'rejected');
    expect(refused?.reason).toMatchObject({ code: 'billing.payment_changed' });
    expect(await refundsAtStripe(invoice)).toEqual([2_950]);
    expect(await read(invoice)).toMatchObject({ left: 2_950 });
    expect(await recorded(userId)).toHaveLength(1);
  });

  it('never return more than was paid, in any number, and one key returns once', async () => {
    const { userId, invoice } = await billing.subscribe();
    const key = randomUUID();
    const results = await Promise.allSettled([
      ...times(8).map(() => refund(invoice, 1_000)),
      ...times(4).map(() => refund(invoice, 1_500, { key })),
    ]);
    const made = await refundsAtStripe(invoice);
    expect(made.reduce((sum, amount) => sum + amount, 0)).toBeLessThanOrEqual(5_900);
    expect(made.filter((amount) => amount === 1_500).length).toBeLessThanOrEqual(1);
    expect(await recorded(userId)).toHaveLength(made.length);
    const accepted = results.filter(({ status }) => status === 'fulfilled').length;
    expect(accepted).toBeGreaterThanOrEqual(made.length);
    expect((await read(invoice)).refunded).toBe(made.reduce((sum, amount) => sum + amount, 0));
  });

  it('and a webhook about it leave one refund, event and record', async () => {
    const { userId, customer, invoice } = await billing.subscribe();
    const refunding = refund(invoice, 5_900);
    await Promise.all([refunding, billing.reconcile(), billing.reconcile()]);
    for (const event of await billing.eventsOf(customer)) await billing.deliver(event);
    await billing.untilUnread(userId);
    expect(await billing.emittedData(userId, paymentRefunded)).toHaveLength(1);
    expect(await billing.emittedData(userId, planRevoked)).toHaveLength(1);
    expect(await recorded(userId)).toHaveLength(1);
  });
});

describe('a refund for a deleted user', () => {
  it('is possible, and leaves no reason about the user', async () => {
    const { userId, invoice } = await billing.subscribe();
    // What is paid in the second of the deletion is refunded anyway.
    await billing.advance(hours(1));
    await billing.remove(userId);
    await refund(invoice, 1_000);
    expect(await refundsAtStripe(invoice)).toEqual([1_000]);
    const [entry] = await recorded(userId);
    expect(entry).toMatchObject({ invoice, amount: 1_000 });
    expect(entry).not.toHaveProperty('reason');
  });

  it('who is deleted while it is made returns the money once and leaves no reason', async () => {
    const { userId, invoice } = await billing.subscribe();
    await billing.advance(hours(1));
    const order = { invoiceId: invoice, amount: 5_900, left: 5_900, reason: REASON, order: randomUUID() };
    const deleting = {
      ...billing.stripe,
      refundCharge: async (details: Parameters<typeof billing.stripe.refundCharge>[0]) => {
        const result = await billing.stripe.refundCharge(details);
        await billing.db.query(
          'UPDATE subscribers SET deleted_at = ?, email = ?, name = ? WHERE user_id = ?',
          [billing.clock(), '', '', userId],
        );
        return result;
      },
    };
    await refundPayment({ ...billing, stripe: deleting }, order, billing.asAdmin.caller);
    expect(await refundsAtStripe(invoice)).toEqual([5_900]);
    const entries = await recorded(userId);
    expect(entries).toHaveLength(1);
    expect(JSON.stringify(entries)).not.toContain(REASON);
  });
});
