import type { Stripe } from 'stripe';
import { expect, it } from 'vitest';
import { byPaymentIntent, toInvoice } from './from-stripe.ts';

const NO_PAYMENTS = {
  charges: new Map(),
  failures: new Map(),
  intents: new Map(),
  planPrices: new Set(['price_plan']),
};

const seconds = (day: string): number => Date.parse(day) / 1_000;

const line = (subtotal: number, end = '2026-04-15', price = 'price_plan'): object => ({
  subscription: 'sub_1',
  pricing: { price_details: { price } },
  amount: subtotal,
  subtotal,
  period: { start: seconds('2026-03-15'), end: seconds(end) },
});

const invoiceOf = (lines: object[], more: object = {}): Stripe.Invoice =>
  ({
    id: 'in_1',
    status: 'paid',
    amount_paid: 3_000,
    amount_due: 3_000,
    currency: 'usd',
    attempt_count: 1,
    next_payment_attempt: null,
    status_transitions: { paid_at: seconds('2026-03-15') },
    parent: { subscription_details: { subscription: 'sub_1' } },
    payments: { data: [] },
    lines: { data: lines },
    ...more,
  }) as unknown as Stripe.Invoice; // the fields that the mapping reads

it('an invoice has the period of its charged line, not of a credit line for a change in mid-period', () => {
  const invoice = invoiceOf([line(-2_900, '2026-04-01'), line(5_900)]);
  expect(toInvoice(invoice, NO_PAYMENTS)?.period).toEqual({
    start: new Date('2026-03-15'),
    end: new Date('2026-04-15'),
  });
});

it("only the plan's line determines the period, whatever else its subscription charges for", () => {
  const invoice = invoiceOf([line(900, '2027-03-15', 'price_other'), line(5_900)]);
  expect(toInvoice(invoice, NO_PAYMENTS)).toMatchObject({
    period: { end: new Date('2026-04-15') },
    sellsMore: true,
  });
});

it('a one-off charge that is invoiced for the subscription does not count as an invoice of the plan', () => {
  expect(toInvoice(invoiceOf([line(900, '2026-03-15', 'price_once')]), NO_PAYMENTS)).toBeNull();
});

const ZERO = { amount_paid: 0, amount_due: 0 };

it.each([
  ['paid by a discount on the whole invoice', { subtotal: 5_900, total: 0 }],
  ['paid by a discount on its line', { subtotal: 0, total: 0 }],
  ["paid by the customer's balance", { subtotal: 5_900, total: 5_900, starting_balance: -5_900 }],
])('an invoice of amount 0 that was %s pays for a period', (_, more) => {
  const invoice = invoiceOf([line(5_900)], { ...ZERO, ...more });
  expect(toInvoice(invoice, NO_PAYMENTS)).toMatchObject({ status: 'paid', amount: 0 });
});

it.each([
  ['of a trial', [line(0)]],
  ['of a credit for a change in mid-period', [line(-5_900), line(2_000)]],
])('the invoice %s pays for nothing, though Stripe marks it as paid', (_, lines) => {
  expect(toInvoice(invoiceOf(lines, ZERO), NO_PAYMENTS)).toBeNull();
});

const paymentOf = (intent: string): object => ({
  payment: { type: 'payment_intent', payment_intent: intent },
});
const paymentsOf = (...intents: string[]): object => ({ payments: { data: intents.map(paymentOf) } });
const charge = (id: string, transaction: object | string | null): Stripe.Charge =>
  ({ id: `ch_${id}`, payment_intent: id, paid: true, balance_transaction: transaction }) as Stripe.Charge; // the fields that the mapping reads
const inDollars = (amount: number, fee: number): object => ({
  amount,
  fee,
  currency: 'usd',
  exchange_rate: null,
});
const feeOf = (charges: Stripe.Charge[], more: object): unknown =>
  toInvoice(invoiceOf([line(3_000)], more), { ...NO_PAYMENTS, charges: byPaymentIntent(charges) })?.fee;

it.each([
  ['has not reached the balance yet', [charge('pi_1', null)], paymentsOf('pi_1')],
  ['is read without its balance transaction', [charge('pi_1', 'txn_1')], paymentsOf('pi_1')],
  ['is not listed', [], paymentsOf('pi_1')],
  [
    'is one of two and reached the balance alone',
    [charge('pi_1', inDollars(1_000, 59)), charge('pi_2', null)],
    paymentsOf('pi_1', 'pi_2'),
  ],
])('the fee of a payment that %s is unknown, not 0', (_, charges, more) => {
  expect(feeOf(charges, more)).toBeNull();
});

it('a fee has the currency of the balance, with the amount that reached it and the exchange rate', () => {
  const euros = { amount: 2_561, fee: 104, currency: 'eur', exchange_rate: 0.8537, created: 1_772_366_400 };
  expect(feeOf([charge('pi_1', euros)], paymentsOf('pi_1'))).toEqual({
    amount: 104,
    currency: 'eur',
    settlementAmount: 2_561,
    exchangeRate: 0.8537,
    bookedAt: new Date('2026-03-01T12:00:00.000Z'),
  });
});

it('the fee of an invoice that two payments paid is the sum of both', () => {
  const charges = [charge('pi_1', inDollars(1_000, 59)), charge('pi_2', inDollars(2_000, 88))];
  expect(feeOf(charges, paymentsOf('pi_1', 'pi_2'))).toMatchObject({ amount: 147, settlementAmount: 3_000 });
});

it('the fee of an invoice whose payments settled in two currencies is unknown', () => {
  const euros = { amount: 2_561, fee: 104, currency: 'eur', exchange_rate: 0.8537 };
  const charges = [charge('pi_1', inDollars(1_000, 59)), charge('pi_2', euros)];
  expect(feeOf(charges, paymentsOf('pi_1', 'pi_2'))).toBeNull();
});

it('an invoice that was paid without a payment has a fee of 0', () => {
  expect(feeOf([], {})).toMatchObject({ amount: 0, settlementAmount: 0 });
});

it('an open invoice has no fee', () => {
  expect(feeOf([], { status: 'open' })).toBeNull();
});

it.each([
  ['processing', { isProcessing: true, needsAuthentication: false }],
  ['requires_action', { isProcessing: false, needsAuthentication: true }],
  ['requires_payment_method', { isProcessing: false, needsAuthentication: false }],
])('an open invoice whose payment intent is %s has %o', (status, expected) => {
  const intents = new Map([['pi_1', { id: 'pi_1', status } as Stripe.PaymentIntent]]);
  const more = { status: 'open', hosted_invoice_url: 'https://pay.test/in_1', ...paymentsOf('pi_1') };
  expect(toInvoice(invoiceOf([line(3_000)], more), { ...NO_PAYMENTS, intents })).toMatchObject({
    ...expected,
    hostedUrl: 'https://pay.test/in_1',
  });
});

it.each(['void', 'uncollectible'])('an invoice of status %s keeps its status', (status) => {
  expect(toInvoice(invoiceOf([line(3_000)], { status }), NO_PAYMENTS)).toMatchObject({
    status,
    amount: 3_000,
  });
});

it('a draft does not count as an invoice', () => {
  expect(toInvoice(invoiceOf([line(3_000)], { status: 'draft' }), NO_PAYMENTS)).toBeNull();
});

it('an invoice has its number, billing reason, and amounts before and after discounts and taxes', () => {
  const more = {
    number: 'A-0001',
    billing_reason: 'subscription_cycle',
    subtotal: 5_900,
    total: 5_605,
    total_discount_amounts: [{ amount: 590, discount: 'di_1' }],
    total_taxes: [{ amount: 200 }, { amount: 95 }],
  };
  expect(toInvoice(invoiceOf([line(5_900)], more), NO_PAYMENTS)).toMatchObject({
    number: 'A-0001',
    billingReason: 'subscription_cycle',
    subtotal: 5_900,
    discount: 590,
    tax: 295,
    total: 5_605,
  });
});

const TRIAL_LINE = line(0, '2026-03-29');
const ofTrial = (days: string, more: object = {}): Stripe.Invoice =>
  invoiceOf([TRIAL_LINE], {
    ...ZERO,
    billing_reason: 'subscription_create',
    parent: { subscription_details: { subscription: 'sub_1', metadata: { trial: days } } },
    ...more,
  });

it('the invoice of a trial that a checkout of ours promised sells its period', () => {
  expect(toInvoice(ofTrial('14'), NO_PAYMENTS)).toMatchObject({
    isTrial: true,
    amount: 0,
    monthlyAmount: 0,
    period: { start: new Date('2026-03-15'), end: new Date('2026-03-29') },
  });
});

it.each([
  ['without our mark', ofTrial('')],
  ['with another mark', ofTrial('forever')],
  ['that is longer than was promised', ofTrial('7')],
  ['that was added or extended later', ofTrial('14', { billing_reason: 'subscription_update' })],
  ['of another product', ofTrial('14', { lines: { data: [line(0, '2026-03-29', 'price_other')] } })],
])('a trial %s sells nothing', (_case, invoice) => {
  expect(toInvoice(invoice, NO_PAYMENTS)).toBeNull();
});

it('a charged invoice of a subscription that began with a trial is none of a trial', () => {
  const { parent } = ofTrial('14');
  const first = invoiceOf([line(5_900)], { parent, billing_reason: 'subscription_create' });
  expect(toInvoice(first, NO_PAYMENTS)).toMatchObject({ isTrial: false });
});
