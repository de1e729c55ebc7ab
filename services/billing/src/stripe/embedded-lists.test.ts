import type { Stripe } from 'stripe';
import { expect, it } from 'vitest';
import { withAllLines } from './embedded-lists.ts';

const listed = <T>(data: T[]) => ({ autoPagingToArray: () => Promise.resolve(data) });

it('an invoice with more payments than fit on a page has them all', async () => {
  const payments = Array.from({ length: 11 }, (_, index) => ({ id: `inpay_${index}` }));
  const stripe = { invoicePayments: { list: () => listed(payments) } } as unknown as Stripe; // what is called of it
  const invoice = {
    id: 'in_1',
    lines: { data: [], has_more: false },
    payments: { data: payments.slice(0, 10), has_more: true },
  } as unknown as Stripe.Invoice; // the fields that are read
  expect((await withAllLines(stripe, invoice)).payments).toMatchObject({ data: payments, has_more: false });
});
