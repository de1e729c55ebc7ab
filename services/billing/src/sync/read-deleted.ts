import type { Db } from '@shortlist/kit/data/db';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import type { Log } from '@shortlist/kit/process/log';
import { expireCheckouts } from '../intents/expire-checkouts.ts';
import { refundedAmount } from '../invoices/invoice.rules.ts';
import { listPaidIds } from '../invoices/queries.ts';
import { CANCEL_REASONS } from '../stripe/from-stripe.ts';
import type { StripeGateway } from '../stripe/gateway.ts';
import type { CustomerSnapshot, InvoiceSnapshot } from '../stripe/snapshot.ts';
import { liveSubscriptions } from '../subscriptions/subscription.rules.ts';

type Parts = { db: Db; clock: Clock; stripe: StripeGateway; log: Log };

/** `isClosed`: Stripe can take no more money of this user. */
type DeletedRead = { snapshot: CustomerSnapshot; isClosed: boolean };

const isRetained = (invoice: InvoiceSnapshot): boolean =>
  invoice.status === 'paid' && refundedAmount(invoice) < invoice.amount;

/** The payments that arrived after the deletion, as far as they have not been refunded. */
const listLatePayments = async (
  { db }: Parts,
  { invoices }: CustomerSnapshot,
): Promise<InvoiceSnapshot[]> => {
  const retained = invoices.filter(isRetained);
  const recorded = await listPaidIds(
    db.manager,
    retained.map(({ id }) => id),
  );
  return retained.filter(({ id }) => !recorded.has(id));
};

/** Invoices that could still be paid on their page. Stripe refuses to void one whose payment is being processed. */
const isPayable = ({ status, isProcessing }: InvoiceSnapshot): boolean =>
  (status === 'open' || status === 'uncollectible') && !isProcessing;

const refund = async ({ stripe, log }: Parts, userId: string, invoiceId: string): Promise<void> => {
  const refusal = await stripe.refundInvoice(invoiceId);
  if (refusal !== null) log.error({ userId, invoiceId, refusal }, 'payment of a deleted user not refunded');
};

/** `tried` are the ids of invoices: not every one can be voided or refunded, and a second attempt would change nothing. */
type Closing = { userId: string; snapshot: CustomerSnapshot; tried: Record<'void' | 'refund', Set<string>> };

/** Cancels, voids and refunds what a snapshot shows. Returns whether it changed anything at Stripe. */
const closeAtStripe = async (parts: Parts, { userId, snapshot, tried }: Closing): Promise<boolean> => {
  const live = liveSubscriptions(snapshot);
  for (const subscriptionId of live)
    await parts.stripe.cancelSubscription(subscriptionId, CANCEL_REASONS.deleted);
  const payable = snapshot.invoices.filter((invoice) => isPayable(invoice) && !tried.void.has(invoice.id));
  for (const { id } of payable) await parts.stripe.voidInvoice(id);
  const payments = (await listLatePayments(parts, snapshot)).filter(({ id }) => !tried.refund.has(id));
  for (const { id } of payments) await refund(parts, userId, id);
  for (const { id } of payable) tried.void.add(id);
  for (const { id } of payments) tried.refund.add(id);
  return live.length > 0 || payable.length > 0 || payments.length > 0;
};

/** Each pass ends what the one before has found; a payment may arrive between any two. */
const MAX_PASSES = 5;

/**
 * Closes everything by which Stripe could still take money of a deleted user, refunds what it took since the deletion, and reads
 * the result. A payment counts as late until it is recorded, so that a crash at any point repeats the refund, under the same key.
 */
export const readDeletedCustomer = async (
  parts: Parts,
  { userId, customerId }: { userId: string; customerId: string },
): Promise<DeletedRead> => {
  // The sessions first: a payment on an open page would start another subscription.
  const isClosed = await expireCheckouts(parts, { userId, customerId });
  const tried = { void: new Set<string>(), refund: new Set<string>() };
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const snapshot = await parts.stripe.readCustomer(customerId);
    if (!(await closeAtStripe(parts, { userId, snapshot, tried }))) return { snapshot, isClosed };
  }
  throw createError('billing.busy', { retryAfterSeconds: 5 });
};
