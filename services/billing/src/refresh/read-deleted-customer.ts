import type { Db } from '@shortlist/kit/data/db';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import type { Log } from '@shortlist/kit/process/log';
import { listPaidIds } from '../records/invoice-queries.ts';
import { isLatePaymentRecorded } from '../subscriptions/record-late-payment.ts';
import {
  isPaidAfter,
  isPayable,
  liveSubscriptions,
  refundedAmount,
} from '../subscriptions/subscription.rules.ts';
import { CANCEL_REASONS } from '../stripe/from-stripe.ts';
import type { StripeGateway } from '../stripe/gateway.ts';
import type { CustomerSnapshot, InvoiceSnapshot } from '../stripe/snapshot.ts';
import { expireCheckouts } from '../subscriptions/expire-checkouts.ts';

type Parts = { db: Db; clock: Clock; stripe: StripeGateway; log: Log };

type Deleted = { userId: string; deletedAt: Date };

/** `isClosed`: Stripe can take no more money of this user. */
export type CustomerRead = { snapshot: CustomerSnapshot; isClosed: boolean };

const isRetained = (invoice: InvoiceSnapshot): boolean =>
  invoice.status === 'paid' && refundedAmount(invoice) < invoice.amount;

/** The payments that arrived after the deletion, as far as they have neither been refunded nor tried before. */
const listLatePayments = async (
  { db }: Parts,
  { invoices }: CustomerSnapshot,
  deletedAt: Date,
): Promise<InvoiceSnapshot[]> => {
  const retained = invoices.filter(isRetained);
  const known = await listPaidIds(
    db.manager,
    retained.map(({ id }) => id),
  );
  const isLater = (one: InvoiceSnapshot): boolean =>
    isPaidAfter(one, deletedAt, { isKnown: known.has(one.id) });
  const found: InvoiceSnapshot[] = [];
  for (const invoice of retained.filter(isLater))
    if (!(await isLatePaymentRecorded(db.manager, 'payment_of_deleted_user', invoice.id)))
      found.push(invoice);
  return found;
};

const refund = async ({ stripe, log }: Parts, userId: string, invoiceId: string): Promise<void> => {
  const refusal = await stripe.refundInvoice(invoiceId);
  if (refusal !== null) log.error({ userId, invoiceId, refusal }, 'payment of a deleted user not refunded');
};

/** `tried` are the ids of invoices: not every one can be voided or refunded, and a second attempt would change nothing. */
type Closing = Deleted & { snapshot: CustomerSnapshot; tried: Record<'void' | 'refund', Set<string>> };

/** Cancels, voids and refunds what a snapshot shows. Returns whether it changed anything at Stripe. */
const closeAtStripe = async (
  parts: Parts,
  { userId, deletedAt, snapshot, tried }: Closing,
): Promise<boolean> => {
  const live = liveSubscriptions(snapshot);
  for (const subscriptionId of live)
    await parts.stripe.cancelSubscription(subscriptionId, CANCEL_REASONS.deleted);
  const payable = snapshot.invoices.filter((invoice) => isPayable(invoice) && !tried.void.has(invoice.id));
  for (const { id } of payable) await parts.stripe.voidInvoice(id);
  const unsettled = await listLatePayments(parts, snapshot, deletedAt);
  const payments = unsettled.filter(({ id }) => !tried.refund.has(id));
  for (const { id } of payments) await refund(parts, userId, id);
  for (const { id } of payable) tried.void.add(id);
  for (const { id } of payments) tried.refund.add(id);
  return live.length > 0 || payable.length > 0 || payments.length > 0;
};

/** Each pass ends what the one before has found; a payment may arrive between any two. */
const MAX_PASSES = 5;

/**
 * Closes everything by which Stripe could still take money of a deleted user, refunds what it took since the deletion, and reads
 * the result. A crash before the record repeats the refund, under the same key.
 */
export const readDeletedCustomer = async (
  parts: Parts,
  { customerId, ...deleted }: Deleted & { customerId: string },
): Promise<CustomerRead> => {
  // The sessions first: a payment on an open page would start another subscription.
  const isClosed = await expireCheckouts(parts, { userId: deleted.userId, customerId });
  const tried = { void: new Set<string>(), refund: new Set<string>() };
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const snapshot = await parts.stripe.readCustomer(customerId);
    if (!(await closeAtStripe(parts, { ...deleted, snapshot, tried }))) return { snapshot, isClosed };
  }
  throw createError('billing.busy', { retryAfterSeconds: 5 });
};
