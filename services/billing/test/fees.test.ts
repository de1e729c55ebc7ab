import { billingEndpoints } from '@shortlist/contracts/api/billing';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { minutes } from '@shortlist/contracts/durations';
import { findInvoice } from '../src/records/invoice-queries.ts';
import { type Billing, openBilling } from './support.ts';

let billing: Billing;
beforeEach(async () => {
  await billing?.close();
  billing = await openBilling();
});
afterAll(() => billing.close());

const FEE = 201;
const settings = (more: object) => billing.sandbox.control('PUT', '/settings', more);
const stored = (invoice: string) => findInvoice(billing.db.manager, invoice);
const earnings = async () =>
  (await billing.call(billingEndpoints.earnings, { period: 'month' }, billing.asAdmin)).data;

describe('the fee of a payment that Stripe captures later', () => {
  it('is unknown until Stripe lists it in the balance, and not counted as 0', async () => {
    await settings({ captureDelaySeconds: 3_600 });
    const { invoice } = await billing.subscribe();
    await billing.reconcile();
    expect(await stored(invoice)).toMatchObject({ status: 'paid', fee: null, settlementCurrency: null });
    expect(await earnings()).toMatchObject({ earnings: 5_900, expenses: 0, unknownFees: 1 });
    await billing.advance(3_601_000);
    await billing.reconcile();
    expect(await stored(invoice)).toMatchObject({
      fee: FEE,
      settlementCurrency: 'usd',
      settlementAmount: 5_900,
      exchangeRate: null,
    });
    expect(await earnings()).toMatchObject({ expenses: FEE, unknownFees: 0 });
  });

  it('is filled in by reconciliation when the event was lost for longer than Stripe keeps it', async () => {
    await settings({ captureDelaySeconds: 60 });
    const { invoice } = await billing.subscribe();
    await billing.advance(61_000);
    const nothing = () => Promise.resolve({ data: [], next: null });
    // Nor do the pages that a run reads have the charge.
    Object.assign(billing.stripe, { listEvents: nothing, listCharges: nothing });
    await billing.reconcile();
    expect(await stored(invoice), 'a young payment may still be captured').toMatchObject({ fee: null });
    await billing.advance(minutes(5));
    await billing.reconcile();
    expect(await stored(invoice)).toMatchObject({ fee: FEE });
  });

  it('is filled in at once when Stripe lists it in the balance', async () => {
    await settings({ captureDelaySeconds: 60 });
    const { invoice } = await billing.subscribe();
    await billing.advance(61_000);
    Object.assign(billing.stripe, { listEvents: () => Promise.resolve({ data: [], next: null }) });
    await billing.reconcile();
    expect(await stored(invoice)).toMatchObject({ fee: FEE });
  });
});

it('the fees of several payments are read together, and no customer', async () => {
  await settings({ captureDelaySeconds: 60 });
  const paid = [await billing.subscribe(), await billing.subscribe(), await billing.subscribe()];
  await billing.reconcile(); // which processes the events of the payments
  await billing.advance(61_000);
  const { listCharges, readCustomer } = billing.stripe;
  const calls = { charges: 0, customers: 0 };
  Object.assign(billing.stripe, {
    listCharges: (cursor: string | null) => {
      calls.charges += 1;
      return listCharges(cursor);
    },
    readCustomer: (...of: Parameters<typeof readCustomer>) => {
      calls.customers += 1;
      return readCustomer(...of);
    },
  });
  await billing.reconcile();
  for (const { invoice } of paid) expect(await stored(invoice)).toMatchObject({ fee: FEE });
  expect(calls).toEqual({ charges: 2, customers: 0 });
});

describe('an account that is paid out in another currency', () => {
  it('has its fees in that currency, apart from the earnings, with the exchange rate', async () => {
    await settings({ settlementCurrency: 'eur', exchangeRate: 0.8537 });
    const { invoice } = await billing.subscribe();
    const row = await stored(invoice);
    expect(row).toMatchObject({ settlementCurrency: 'eur', settlementAmount: 5_037, exchangeRate: 0.8537 });
    const view = await earnings();
    expect(view).toMatchObject({ currency: 'usd', earnings: 5_900, expenses: 0 });
    expect(view.others).toEqual([{ currency: 'eur', earnings: 0, expenses: row?.fee, tax: 0 }]);
  });
});

describe('an invoice', () => {
  it('is kept with its number, period, reason, link and amounts', async () => {
    const { invoice, subscription } = await billing.subscribe();
    const atStripe = await billing.api.invoices.retrieve(invoice);
    expect(await stored(invoice)).toMatchObject({
      number: atStripe.number,
      subscriptionId: subscription,
      billingReason: 'subscription_create',
      subtotal: 5_900,
      discount: 0,
      tax: 0,
      total: 5_900,
      hostedUrl: atStripe.hosted_invoice_url,
      periodStart: new Date('2026-03-01T12:00:00.000Z'),
      periodEnd: new Date('2026-04-01T12:00:00.000Z'),
    });
    expect(atStripe.number).toMatch(/\w/);
  });
});
