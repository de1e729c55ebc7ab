import { billingEndpoints } from '@shortlist/contracts/api/billing';
import { days } from '@shortlist/contracts/durations';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { findInvoice } from '../src/records/invoice-queries.ts';
import { type Billing, openBilling } from './support.ts';

let billing: Billing;
beforeEach(async () => {
  await billing?.close();
  billing = await openBilling();
});
afterAll(() => billing.close());

const MARCH = 2;
const APRIL = 3;
const FEE = 201;
const expensesOfYear = async (): Promise<number[]> => {
  const query = { period: 'year', timeZone: 'UTC' } as const;
  const { data } = await billing.call(billingEndpoints.earnings, query, billing.asAdmin);
  return data.buckets.map(({ expenses }) => expenses);
};
const refund = async (invoice: string, amount: number): Promise<string> => {
  const { id } = await billing.sandbox.control<{ id: string }>('POST', `/invoices/${invoice}/refund`, {
    amount,
  });
  await billing.reconcile();
  return id;
};
const fail = async (refundId: string): Promise<void> => {
  await billing.sandbox.control('POST', `/refunds/${refundId}/fail`);
  await billing.reconcile();
};
const rows = (): Promise<{ created_at: Date; failed_at: Date | null }[]> =>
  billing.db.query('SELECT created_at, failed_at FROM refunds ORDER BY created_at');

describe('a refund that fails later', () => {
  it('is a separate movement on its day, and the month of the refund keeps its sum', async () => {
    const { invoice } = await billing.subscribe();
    const id = await refund(invoice, 5_900);
    expect((await expensesOfYear())[MARCH]).toBe(5_900 + FEE);
    await billing.advance(days(35));
    await fail(id);
    const expenses = await expensesOfYear();
    expect([expenses[MARCH], expenses[APRIL]]).toEqual([5_900 + FEE, -5_900]);
    const { created } = await billing.api.balanceTransactions
      .list({ type: 'refund_failure' })
      .then(({ data: [transaction] }) => transaction ?? { created: 0 });
    expect(await rows()).toMatchObject([{ failed_at: new Date(created * 1_000) }]);
    expect(await findInvoice(billing.db.manager, invoice)).toMatchObject({ refunded: 0 });
  });

  it('counts even if it is first seen after it failed, and only once', async () => {
    const { invoice } = await billing.subscribe();
    const { id } = await billing.sandbox.control<{ id: string }>('POST', `/invoices/${invoice}/refund`, {
      amount: 1_000,
    });
    await billing.advance(days(35));
    await fail(id);
    const seen = await rows();
    expect(seen).toHaveLength(1);
    await refund(invoice, 500);
    expect((await rows())[0]).toEqual(seen[0]);
    expect((await expensesOfYear())[MARCH]).toBe(1_000 + FEE);
    expect(await findInvoice(billing.db.manager, invoice)).toMatchObject({ refunded: 500 });
  });

  it('has the time at which it was first seen until Stripe states one', async () => {
    const { userId, customer, invoice } = await billing.subscribe();
    const id = await refund(invoice, 1_000);
    const snapshot = await billing.stripe.readCustomer(customer);
    const { applySnapshot } = await import('../src/subscriptions/apply-snapshot.ts');
    const { clock, log, policies } = billing;
    const origin = { by: 'test', reason: 'refund failed', policies, clock, log };
    const failed = {
      ...snapshot,
      invoices: snapshot.invoices.map((one) => ({
        ...one,
        refunds: [],
        returnedRefunds: one.refunds.map((back) => ({ ...back, failedAt: null })),
      })),
    };
    await billing.advance(days(1));
    const firstSeen = clock();
    const apply = () =>
      billing.db.transaction((tx) => applySnapshot(tx, userId, { snapshot: failed, ...origin }));
    await apply();
    expect(await rows(), id).toMatchObject([{ failed_at: firstSeen }]);
    await billing.advance(days(1));
    await apply();
    expect(await rows()).toMatchObject([{ failed_at: firstSeen }]);
  });

  it('leaves nothing if no money moved, as when it was canceled before', async () => {
    const { userId, customer, invoice } = await billing.subscribe();
    await refund(invoice, 1_000);
    const snapshot = await billing.stripe.readCustomer(customer);
    const { applySnapshot } = await import('../src/subscriptions/apply-snapshot.ts');
    const { clock, log, policies } = billing;
    const origin = { by: 'test', reason: 'refund canceled', policies, clock, log };
    const canceled = { ...snapshot, invoices: snapshot.invoices.map((one) => ({ ...one, refunds: [] })) };
    await billing.db.transaction((tx) => applySnapshot(tx, userId, { snapshot: canceled, ...origin }));
    expect(await rows()).toEqual([]);
  });
});
