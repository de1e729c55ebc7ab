// Stripe's lists of the records that accounting needs, page by page.
import type { Stripe } from 'stripe';
import { toDispute } from './dispute-from-stripe.ts';
import { customerOfObject, date, idOf } from './from-stripe.ts';
import { toInvoice } from './invoice-from-stripe.ts';
import { after, PAGE, pageOf, type Page } from './lists.ts';
import type { DisputeSnapshot, InvoiceSnapshot, PayoutSnapshot } from './snapshot.ts';

/** Without fees and refunds, which the list does not contain. */
export type ListedInvoice = Omit<InvoiceSnapshot, 'fee' | 'refunds' | 'failedRefunds'> & {
  customerId: string;
};
export type ListedDispute = Omit<DisputeSnapshot, 'invoiceId'> & { customerId: string };

const NO_PAYMENTS = { charges: new Map(), intents: new Map() };

const toListedInvoice = (invoice: Stripe.Invoice): ListedInvoice[] => {
  const customerId = customerOfObject(invoice);
  const snapshot = toInvoice(invoice, NO_PAYMENTS);
  return customerId === null || snapshot === null ? [] : [{ ...snapshot, customerId }];
};

const customerOfCharge = ({ charge }: Stripe.Dispute): string | null =>
  typeof charge === 'string' ? null : idOf(charge.customer);

const toListedDispute = (dispute: Stripe.Dispute): ListedDispute[] => {
  const customerId = customerOfCharge(dispute);
  return customerId === null ? [] : [{ ...toDispute(dispute, ''), customerId }];
};

export const toPayout = ({
  id,
  amount,
  currency,
  status,
  arrival_date,
  created,
}: Stripe.Payout): PayoutSnapshot => ({
  ...{ id, amount, currency, status },
  arrivalAt: date(arrival_date),
  createdAt: date(created),
});

/** Invoices of all customers, newest first, without drafts and trials. */
export const listInvoices = async (stripe: Stripe, cursor: string | null): Promise<Page<ListedInvoice>> =>
  pageOf(await stripe.invoices.list({ limit: PAGE, ...after(cursor) }), toListedInvoice);

/** Disputes of customers' charges, newest first. */
export const listDisputes = async (stripe: Stripe, cursor: string | null): Promise<Page<ListedDispute>> =>
  pageOf(
    await stripe.disputes.list({ limit: PAGE, expand: ['data.charge'], ...after(cursor) }),
    toListedDispute,
  );

/** Payouts, newest first. */
export const listPayouts = async (stripe: Stripe, cursor: string | null): Promise<Page<PayoutSnapshot>> =>
  pageOf(await stripe.payouts.list({ limit: PAGE, ...after(cursor) }), (payout) => [toPayout(payout)]);
