import type { Stripe } from 'stripe';
import { expect, it } from 'vitest';
import { toInvoice } from './from-stripe.ts';

const seconds = (day: string): number => Date.parse(day) / 1_000;

it('the period of an invoice is that of what is charged for, not of what is credited for a change in mid-period', () => {
  const line = (amount: number, end: string): object => ({
    subscription: 'sub_1',
    amount,
    period: { start: seconds('2026-03-15'), end: seconds(end) },
  });
  const invoice = {
    ...{
      id: 'in_1',
      status: 'paid',
      amount_paid: 3_000,
      amount_due: 3_000,
      currency: 'usd',
      attempt_count: 1,
    },
    next_payment_attempt: null,
    status_transitions: { paid_at: seconds('2026-03-15') },
    parent: { subscription_details: { subscription: 'sub_1' } },
    payments: { data: [] },
    lines: { data: [line(-2_900, '2026-04-01'), line(5_900, '2026-04-15')] },
  } as unknown as Stripe.Invoice; // the fields that are read
  expect(toInvoice(invoice, new Map())?.period).toEqual({
    start: new Date('2026-03-15'),
    end: new Date('2026-04-15'),
  });
});
