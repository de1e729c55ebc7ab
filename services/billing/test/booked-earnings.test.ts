import { billingEndpoints } from '@shortlist/contracts/api/billing';
import { hours, inSeconds } from '@shortlist/contracts/durations';
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
const settings = (more: object) => billing.sandbox.control('PUT', '/settings', more);
const monthsOfYear = async () => {
  const query = { period: 'year', timeZone: 'UTC' } as const;
  const { data } = await billing.call(billingEndpoints.earnings, query, billing.asAdmin);
  return data.buckets.map(({ earnings, expenses, tax }) => ({ earnings, expenses, tax }));
};
const refund = async (invoice: string, amount: number): Promise<void> => {
  await billing.sandbox.control('POST', `/invoices/${invoice}/refund`, { amount });
  await billing.reconcile();
};

describe('a payment that reaches the balance in the next month', () => {
  it('is booked there with its fee, but until that is known in the month of the payment', async () => {
    billing.setTime(new Date('2026-03-31T23:30:00Z'));
    await settings({ captureDelaySeconds: inSeconds(hours(1)) });
    const { invoice } = await billing.subscribe();
    const paid = { earnings: 5_900, expenses: 0, tax: 0 };
    const nothing = { earnings: 0, expenses: 0, tax: 0 };
    expect((await monthsOfYear()).slice(MARCH, APRIL + 1)).toEqual([paid, nothing]);
    await billing.advance(hours(2));
    await billing.reconcile();
    const stored = await findInvoice(billing.db.manager, invoice);
    const [charge] = (await billing.api.charges.list({ expand: ['data.balance_transaction'] })).data;
    const { created } = charge?.balance_transaction as { created: number };
    expect(stored).toMatchObject({ bookedAt: new Date(created * 1_000), chargeId: charge?.id });
    expect((await monthsOfYear()).slice(MARCH, APRIL + 1)).toEqual([nothing, { ...paid, expenses: 201 }]);
  });
});

describe('tax', () => {
  it('is not part of the earnings, and each refund gives back its share to the cent', async () => {
    await settings({ taxPercent: 8 });
    const { invoice } = await billing.subscribe();
    const fee = 215; // 2.9 % of 63.72 and 30 cents
    expect((await monthsOfYear())[MARCH]).toEqual({ earnings: 5_900, expenses: fee, tax: 472 });
    await refund(invoice, 1_000);
    expect((await monthsOfYear())[MARCH]).toEqual({ earnings: 5_900, expenses: fee + 926, tax: 398 });
    await refund(invoice, 1_000);
    await refund(invoice, 4_372);
    expect((await monthsOfYear())[MARCH]).toEqual({ earnings: 5_900, expenses: fee + 5_900, tax: 0 });
  });

  it('of a refund that failed counts again', async () => {
    await settings({ taxPercent: 8 });
    const { invoice } = await billing.subscribe();
    await refund(invoice, 6_372);
    const { data } = await billing.api.refunds.list();
    await billing.sandbox.control('POST', `/refunds/${data[0]?.id}/fail`);
    await billing.reconcile();
    expect((await monthsOfYear())[MARCH]).toEqual({ earnings: 5_900, expenses: 215, tax: 472 });
  });
});
