import type Stripe from 'stripe';
import { newId } from '../ids.ts';

/** What a coupon for this one invoice takes off, line by line, before it is due. */
export const discountInvoice = (invoice: Stripe.Invoice, percentOff: number): void => {
  if (percentOff === 0) return;
  const discount = newId('di');
  let amount = 0;
  for (const line of invoice.lines.data) {
    const off = Math.round((line.amount * percentOff) / 100);
    line.discounts = [discount];
    line.discount_amounts = [{ amount: off, discount }];
    amount += off;
  }
  invoice.discounts = [discount];
  invoice.total_discount_amounts = [{ amount, discount }];
  invoice.total = invoice.subtotal - amount;
  invoice.total_excluding_tax = invoice.total;
  invoice.amount_due = invoice.total;
  invoice.amount_remaining = invoice.total;
};
