import type Stripe from 'stripe';

const RATE = 0.08;

/** Adds 8 % of tax to the discounted total, for a subscription whose tax is computed automatically. */
export const taxInvoice = (invoice: Stripe.Invoice, subscription: Stripe.Subscription): void => {
  if (!subscription.automatic_tax.enabled) return;
  const taxable_amount = invoice.total;
  const amount = Math.round(taxable_amount * RATE);
  invoice.automatic_tax = { ...invoice.automatic_tax, enabled: true, provider: 'stripe', status: 'complete' };
  invoice.total_taxes = [
    {
      amount,
      tax_behavior: 'exclusive',
      tax_rate_details: { tax_rate: 'txr_sandbox' },
      taxability_reason: 'standard_rated',
      taxable_amount,
      type: 'tax_rate_details',
    },
  ];
  invoice.total += amount;
  invoice.amount_due = invoice.total;
  invoice.amount_remaining = invoice.total;
};
