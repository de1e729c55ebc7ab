import type Stripe from 'stripe';
import { newId } from '../ids.ts';

/** Applies a coupon to this invoice only, line by line. */
export const discountInvoice = (invoice: Stripe.Invoice, percentOff: number): void => {
  if (percentOff === 0) return;
  const discount = newId('di');
  let amount = 0;
  for (const line of invoice.lines.data) {
    const amountOff = Math.round((line.amount * percentOff) / 100);
    line.discounts = [discount];
    line.discount_amounts = [{ amount: amountOff, discount }];
    amount += amountOff;
  }
  invoice.discounts = [discount];
  invoice.total_discount_amounts = [{ amount, discount }];
  invoice.total = invoice.subtotal - amount;
  invoice.total_excluding_tax = invoice.total;
  invoice.amount_due = invoice.total;
  invoice.amount_remaining = invoice.total;
};
