import type { Stripe } from 'stripe';
import { expect, it } from 'vitest';
import { toInvoice } from './from-stripe.ts';

const seconds = (day: string): number => Date.parse(day) / 1_000;

const line = (subtotal: number, end = '2026-04-15'): object => ({
  subscription: 'sub_1',
  amount: subtotal,
  subtotal,
  period: { start: seconds('2026-03-15'), end: seconds(end) },
});

const invoiceOf = (lines: object[], more: object = {}): Stripe.Invoice =>
  ({
    ...{ id: 'in_1', status: 'paid', amount_paid: 3_000, amount_due: 3_000, currency: 'usd' },
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
  expect(toInvoice(invoice, new Map())?.period).toEqual({
    start: new Date('2026-03-15'),
    end: new Date('2026-04-15'),
  });
});

const ZERO = { amount_paid: 0, amount_due: 0 };

it.each([
  ['paid by a discount on the whole invoice', { subtotal: 5_900, total: 0 }],
  ['paid by a discount on its line', { subtotal: 0, total: 0 }],
  ["paid by the customer's balance", { subtotal: 5_900, total: 5_900, starting_balance: -5_900 }],
])('an invoice of amount 0 that was %s pays for a period', (_, more) => {
  const invoice = invoiceOf([line(5_900)], { ...ZERO, ...more });
  expect(toInvoice(invoice, new Map())).toMatchObject({ status: 'paid', amount: 0 });
});

it.each([
  ['of a trial', [line(0)]],
  ['of a credit for a change in mid-period', [line(-5_900), line(2_000)]],
])('the invoice %s pays for nothing, though Stripe marks it as paid', (_, lines) => {
  expect(toInvoice(invoiceOf(lines, ZERO), new Map())).toBeNull();
});
