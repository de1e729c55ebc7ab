// A refund of a part of the plan with the choice to take back its share of the month's credits.
import { randomUUID } from 'node:crypto';
import { paymentEndpoints } from '@shortlist/contracts/api/payments';
import { days, monthsAfter } from '@shortlist/contracts/durations';
import { paymentRefunded, subscriptionChanged } from '@shortlist/contracts/events/billing';
import { uuidv7 } from 'uuidv7';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { refundPayment } from '../src/payments/refund-payment.ts';
import { type Billing, codeOf, openBilling } from './support.ts';

let billing: Billing;
beforeAll(async () => {
  billing = await openBilling();
});
afterEach(() => billing.sandbox.control('DELETE', '/faults'));
afterAll(() => billing.close());

const read = async (invoiceId: string) =>
  (await billing.call(paymentEndpoints.getPayment, { invoiceId }, billing.asAdmin)).data;

type Choice = { key?: string; takesCredits?: boolean; left?: number };
const refund = async (invoiceId: string, amount: number, choice: Choice = {}): Promise<string> => {
  const { key = randomUUID(), takesCredits = true, left = (await read(invoiceId)).left } = choice;
  const input = { invoiceId, amount, left, reason: 'Not used', takesCredits };
  const options = { ...billing.asAdmin, headers: { 'idempotency-key': key } };
  return (await billing.call(paymentEndpoints.refundPayment, input, options)).data.refundId;
};
const withdrawn = async (userId: string) => (await billing.stateOf(userId)).paid?.withdrawn;
const fail = async (refundId: string): Promise<void> => {
  await billing.sandbox.control('POST', `/refunds/${refundId}/fail`);
  await billing.reconcile();
};

describe('F17 a refund of a part of the plan', () => {
  it('takes back its share of the credits when the admin chooses it, and says so in its event', async () => {
    const { userId, invoice } = await billing.subscribe();
    await refund(invoice, 1_000, { takesCredits: false });
    expect(await withdrawn(userId)).toBeUndefined();
    await refund(invoice, 2_950);
    expect(await withdrawn(userId)).toEqual({ month: 0, credits: 250 });
    const events = await billing.emittedData(userId, paymentRefunded);
    expect(events.map(({ planState }) => planState.paid?.withdrawn)).toEqual([
      undefined,
      { month: 0, credits: 250 },
    ]);
    await billing.reconcile();
    expect(await withdrawn(userId)).toEqual({ month: 0, credits: 250 });
    expect((await billing.read(userId)).data).toMatchObject({ plan: 'premium', renews: true });
  });

  it('takes as much in parts as at once, rounded down', async () => {
    const { userId, invoice } = await billing.subscribe();
    await refund(invoice, 11);
    expect(await withdrawn(userId)).toBeUndefined();
    await refund(invoice, 12);
    expect(await withdrawn(userId)).toEqual({ month: 0, credits: 1 });
    await refund(invoice, 2_927);
    expect(await withdrawn(userId)).toEqual({ month: 0, credits: 250 });
  });

  it('is made once for each key, and refuses a key that named the other choice', async () => {
    const { userId, invoice } = await billing.subscribe();
    const key = randomUUID();
    const first = await refund(invoice, 590, { key });
    expect(await refund(invoice, 590, { key })).toBe(first);
    expect(await refund(invoice, 590, { key, takesCredits: false }).catch(codeOf)).toBe('billing.key_reused');
    expect(await withdrawn(userId)).toEqual({ month: 0, credits: 50 });
  });

  it('is found again with its choice after the response was lost', async () => {
    const { userId, invoice } = await billing.subscribe();
    const key = randomUUID();
    await billing.sandbox.control('PUT', '/faults', {
      ...{ method: 'POST', path: '/v1/refunds', reset: true, times: 10 },
    });
    expect(await refund(invoice, 590, { key }).catch(codeOf)).toBe('billing.provider_unavailable');
    await billing.sandbox.control('DELETE', '/faults');
    await billing.reconcile();
    expect(await withdrawn(userId)).toEqual({ month: 0, credits: 50 });
    await refund(invoice, 590, { key, left: 5_900 });
    expect(await withdrawn(userId)).toEqual({ month: 0, credits: 50 });
    expect((await read(invoice)).refunded).toBe(590);
  });

  it('of two admins at once takes back its credits once', async () => {
    const { userId, invoice } = await billing.subscribe();
    const half = () => refund(invoice, 2_950, { left: 5_900 });
    const results = await Promise.allSettled([half(), half()]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await withdrawn(userId)).toEqual({ month: 0, credits: 250 });
  });

  it('gives the credits back when it fails at the bank', async () => {
    const { userId, invoice } = await billing.subscribe();
    const first = await refund(invoice, 590);
    await refund(invoice, 1_180);
    expect(await withdrawn(userId)).toEqual({ month: 0, credits: 150 });
    await fail(first);
    expect(await withdrawn(userId)).toEqual({ month: 0, credits: 100 });
    const [changed] = await billing.emittedData(userId, subscriptionChanged);
    expect(changed?.planState.paid?.withdrawn).toEqual({ month: 0, credits: 100 });
  });

  it('stays taken while its payment is disputed, and afterwards', async () => {
    const { userId, invoice } = await billing.subscribe();
    await refund(invoice, 590);
    const { id } = await billing.sandbox.control<{ id: string }>('POST', `/invoices/${invoice}/dispute`);
    await billing.reconcile();
    expect(await refund(invoice, 100, { left: 5_310 }).catch(codeOf)).toBe('billing.refund_refused');
    await billing.sandbox.control('POST', `/disputes/${id}/close`, { status: 'won' });
    await billing.reconcile();
    expect(await withdrawn(userId)).toEqual({ month: 0, credits: 50 });
  });

  it('has nothing to do with the credits of the next period', async () => {
    const { userId, invoice } = await billing.subscribe();
    await refund(invoice, 590);
    await billing.advance(days(31));
    await billing.reconcile();
    expect(await withdrawn(userId)).toBeUndefined();
    await refund(invoice, 590);
    expect(await withdrawn(userId)).toBeUndefined();
  });

  it('of a year takes from the month in which it is made alone', async () => {
    const { userId, invoice } = await billing.subscribe(uuidv7(), undefined, 'year');
    const start = billing.clock();
    await refund(invoice, 5_900);
    expect(await withdrawn(userId)).toEqual({ month: 0, credits: 50 });
    await billing.advance(monthsAfter(start, 2).getTime() - start.getTime() + days(1));
    await refund(invoice, 11_800);
    expect(await withdrawn(userId)).toEqual({ month: 2, credits: 100 });
  });

  it('is in the audit log with the choice', async () => {
    const { userId, invoice } = await billing.subscribe();
    const order = { invoiceId: invoice, amount: 590, left: 5_900, reason: 'Not used', takesCredits: true };
    await refundPayment(billing, { ...order, order: randomUUID() }, billing.asAdmin.caller);
    const rows: { after_state: string }[] = await billing.db.query(
      "SELECT after_state FROM audit_log WHERE target_id = ? AND action = 'payment.refund'",
      [userId],
    );
    expect(rows.map(({ after_state: after }) => JSON.parse(after) as object)).toMatchObject([
      { amount: 590, takesCredits: true },
    ]);
  });
});
