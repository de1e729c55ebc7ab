import { createError } from '@shortlist/kit/process/errors';
import { expireCheckouts } from '../intents/expire-checkouts.ts';
import { refundedAmount } from '../invoices/invoice.rules.ts';
import { listPaidIds } from '../invoices/queries.ts';
import type { CustomerSnapshot, InvoiceSnapshot } from '../stripe/snapshot.ts';
import { liveSubscriptions } from '../subscriptions/subscription.rules.ts';
import type { RefreshParts } from './refresh-subscriber.ts';

/** `isClosed`: Stripe can take no more money of this user. */
type DeletedRead = { snapshot: CustomerSnapshot; isClosed: boolean };

const isRetained = (invoice: InvoiceSnapshot): boolean =>
  invoice.status === 'paid' && refundedAmount(invoice) < invoice.amount;

/** The payments that arrived after the deletion, as far as they have not been refunded. */
const listLatePayments = async (
  { db }: RefreshParts,
  { invoices }: CustomerSnapshot,
): Promise<InvoiceSnapshot[]> => {
  const retained = invoices.filter(isRetained);
  const recorded = await listPaidIds(
    db.manager,
    retained.map(({ id }) => id),
  );
  return retained.filter(({ id }) => !recorded.has(id));
};

/** Cancels and refunds what a snapshot shows, each invoice once: not every payment can be refunded. Returns whether it changed anything at Stripe. */
const closeAtStripe = async (
  parts: RefreshParts,
  { userId, snapshot, refunded }: { userId: string; snapshot: CustomerSnapshot; refunded: Set<string> },
): Promise<boolean> => {
  const { stripe, log } = parts;
  const live = liveSubscriptions(snapshot);
  for (const subscriptionId of live) await stripe.cancelSubscription(subscriptionId);
  const payments = (await listLatePayments(parts, snapshot)).filter(({ id }) => !refunded.has(id));
  for (const { id: invoiceId } of payments) {
    const refusal = await stripe.refundInvoice(invoiceId);
    refunded.add(invoiceId);
    if (refusal !== null) log.error({ userId, invoiceId, refusal }, 'payment of a deleted user not refunded');
  }
  return live.length > 0 || payments.length > 0;
};

/** Each pass ends what the one before has found; a payment may arrive between any two. */
const MAX_PASSES = 5;

/**
 * Closes everything by which Stripe could still take money of a deleted user, refunds what it took since the deletion, and reads
 * the result. A payment counts as late until it is recorded, so that a crash at any point repeats the refund, under the same key.
 */
export const readDeletedCustomer = async (
  parts: RefreshParts,
  { userId, customerId }: { userId: string; customerId: string },
): Promise<DeletedRead> => {
  // The sessions first: a payment on an open page would start another subscription.
  const isClosed = await expireCheckouts(parts, { userId, customerId });
  const refunded = new Set<string>();
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const snapshot = await parts.stripe.readCustomer(customerId);
    if (!(await closeAtStripe(parts, { userId, snapshot, refunded }))) return { snapshot, isClosed };
  }
  throw createError('billing.busy', { retryAfterSeconds: 5 });
};
