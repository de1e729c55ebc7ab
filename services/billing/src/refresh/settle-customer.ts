// Ends at Stripe what must no longer be paid: checkouts, subscriptions and invoices.
import { hours } from '@shortlist/contracts/durations';
import type { Db } from '@shortlist/kit/data/db';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import type { Log } from '@shortlist/kit/process/log';
import type { CheckoutKind } from '../stripe/checkouts.ts';
import { CANCEL_REASONS } from '../stripe/from-stripe.ts';
import type { StripeGateway } from '../stripe/gateway.ts';
import type {
  CustomerSnapshot,
  DisputeSnapshot,
  InvoiceSnapshot,
  SubscriptionSnapshot,
} from '../stripe/snapshot.ts';
import { closeIntents, findOpenIntent, listOpenIntents } from '../subscriptions/checkout-intent-queries.ts';
import { isLatePaymentRecorded } from '../subscriptions/record-invoice.ts';
import {
  isPaidAfter,
  isPayable,
  liveSubscriptions,
  refundedAmount,
  withChanged,
} from '../subscriptions/subscription.rules.ts';

type CheckoutParts = {
  db: Db;
  clock: Clock;
  stripe: Pick<StripeGateway, 'listOpenCheckouts' | 'expireCheckout'>;
};

/** After this time, an order whose response was lost can no longer take effect. */
const LOST_ORDER_MS = hours(1);

const ALL = ['plan', 'pack'] as const;

/**
 * Closes every checkout of these kinds that a user could still pay: the sessions that Stripe lists as open for the customer, including those whose
 * response was lost. Returns false while an order may still lead to a session that Stripe does not list yet. The caller owns the user's lease.
 */
export const expireCheckouts = async (
  { db, clock, stripe }: CheckoutParts,
  { userId, customerId }: { userId: string; customerId: string | null },
  kinds: readonly CheckoutKind[] = ALL,
): Promise<boolean> => {
  const intents = await listOpenIntents(db.manager, userId, kinds);
  const listed = customerId === null ? [] : await stripe.listOpenCheckouts(customerId);
  const sessions = listed.filter(({ kind }) => kinds.includes(kind));
  for (const { sessionId } of sessions) await stripe.expireCheckout(sessionId);
  const known = new Set(intents.map(({ sessionId }) => sessionId));
  const lost = new Set(
    sessions.filter(({ sessionId }) => !known.has(sessionId)).map((session) => session.kind),
  );
  const orderedBefore = new Date(clock().getTime() - LOST_ORDER_MS);
  const isSettled = ({ kind, sessionId, createdAt }: (typeof intents)[number]): boolean =>
    customerId === null || sessionId !== null || lost.has(kind) || createdAt < orderedBefore;
  const settled = intents.filter(isSettled);
  await closeIntents(
    db.manager,
    settled.map(({ id }) => id),
  );
  return settled.length === intents.length;
};

/**
 * Closes the plan's checkout that a user has ordered and could still pay. Returns whether there was one: it may have been paid at the last moment, so
 * what was read before is outdated. The caller owns the user's lease.
 */
export const expireOrder = async (
  parts: CheckoutParts,
  subscriber: { userId: string; customerId: string | null },
): Promise<boolean> => {
  if ((await findOpenIntent(parts.db.manager, subscriber.userId, 'plan')) === null) return false;
  await expireCheckouts(parts, subscriber, ['plan']);
  return true;
};

/** The objects of a snapshot to end at Stripe. `toRefund` is read last, because a payment may arrive before the others end. */
export type Unsettled = {
  toCancel: { id: string; reason: keyof typeof CANCEL_REASONS }[];
  toVoid: InvoiceSnapshot[];
  findToRefund: () => Promise<InvoiceSnapshot[]>;
};

type Parts = { stripe: StripeGateway; log: Log };

/** Ids of invoices that were tried: not every one can be voided or refunded, and a second attempt would change nothing. */
type Tried = Record<'void' | 'refund', Set<string>>;

type Pass = Omit<Unsettled, 'toCancel'> & { userId: string; refusalText: string; tried: Tried };

/** Cancels subscriptions. Returns them as Stripe has ended them, or null if one had ended before. */
const cancelAll = async (
  { stripe }: Parts,
  toCancel: Unsettled['toCancel'],
): Promise<SubscriptionSnapshot[] | null> => {
  const ended: (SubscriptionSnapshot | null)[] = [];
  for (const { id, reason } of toCancel)
    ended.push(await stripe.cancelSubscription(id, CANCEL_REASONS[reason]));
  const known = ended.filter((one) => one !== null);
  return known.length < ended.length ? null : known;
};

/** Voids and refunds. Returns whether there was anything to do. */
const settle = async ({ stripe, log }: Parts, pass: Pass): Promise<boolean> => {
  const { userId, refusalText, tried } = pass;
  const toVoid = pass.toVoid.filter(({ id }) => !tried.void.has(id));
  for (const { id } of toVoid) {
    await stripe.voidInvoice(id);
    tried.void.add(id);
  }
  const toRefund = (await pass.findToRefund()).filter(({ id }) => !tried.refund.has(id));
  for (const { id: invoiceId } of toRefund) {
    const refusal = await stripe.refundInvoice(invoiceId);
    if (refusal !== null) log.error({ userId, invoiceId, refusal }, refusalText);
    tried.refund.add(invoiceId);
  }
  return toVoid.length + toRefund.length > 0;
};

/** A payment may arrive between two passes. */
const MAX_PASSES = 5;

/** `known`: what has just been read of the customer. `finalDisputes`: as for `readCustomer`. */
type Customer = {
  userId: string;
  customerId: string;
  refusalText: string;
  finalDisputes?: DisputeSnapshot[];
  known?: CustomerSnapshot | undefined;
};

/**
 * Reads a customer and ends at Stripe what `find` finds in the snapshot, until nothing is left. Stripe's response to a cancellation replaces
 * another read where it is enough; what was voided or refunded is read again. After a crash before the result is recorded, a refund is repeated under the same key.
 * Throws `billing.busy` after too many passes.
 */
export const readSettled = async (
  parts: Parts,
  { userId, customerId, refusalText, known, finalDisputes }: Customer,
  find: (snapshot: CustomerSnapshot) => Unsettled | Promise<Unsettled>,
): Promise<CustomerSnapshot> => {
  const tried: Tried = { void: new Set(), refund: new Set() };
  const readAgain = () => parts.stripe.readCustomer(customerId, finalDisputes);
  let snapshot = known ?? (await readAgain());
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const { toCancel, ...others } = await find(snapshot);
    const ended = toCancel.length > 0 ? await cancelAll(parts, toCancel) : null;
    if (toCancel.length === 0 && !(await settle(parts, { ...others, userId, refusalText, tried })))
      return snapshot;
    snapshot = (ended && withChanged(snapshot, ended)) ?? (await readAgain());
  }
  throw createError('billing.busy', { retryAfterSeconds: 5 });
};

// The customer of a deleted user.

type DeletedParts = Parts & { db: Db; clock: Clock };

type Deleted = { userId: string; deletedAt: Date };

/** `isClosed`: Stripe can no longer charge this user. */
export type CustomerRead = { snapshot: CustomerSnapshot; isClosed: boolean };

/** A payment that was also for something else is left to an operator. */
const isRetained = (invoice: InvoiceSnapshot): boolean =>
  invoice.status === 'paid' && !invoice.sellsMore && refundedAmount(invoice) < invoice.amount;

/** The payments that arrived after the deletion and have not been refunded or tried before. */
const listLatePayments = async (
  { db }: DeletedParts,
  { invoices, packs }: CustomerSnapshot,
  deletedAt: Date,
): Promise<InvoiceSnapshot[]> => {
  const later = [...invoices, ...packs].filter((one) => isRetained(one) && isPaidAfter(one, deletedAt));
  const found: InvoiceSnapshot[] = [];
  for (const invoice of later)
    if (!(await isLatePaymentRecorded(db.manager, 'payment_of_deleted_user', invoice.id)))
      found.push(invoice);
  return found;
};

/** Closes everything through which Stripe could still charge a deleted user, and refunds payments since the deletion. */
export const readDeletedCustomer = async (
  parts: DeletedParts,
  { userId, deletedAt, customerId }: Deleted & { customerId: string },
): Promise<CustomerRead> => {
  // The sessions first: a payment on an open page would start another subscription.
  const isClosed = await expireCheckouts(parts, { userId, customerId });
  const customer = { userId, customerId, refusalText: 'payment of a deleted user not refunded' };
  const snapshot = await readSettled(parts, customer, (found) => ({
    toCancel: liveSubscriptions(found).map((id) => ({ id, reason: 'deleted' })),
    toVoid: [...found.invoices, ...found.packs].filter(isPayable),
    findToRefund: () => listLatePayments(parts, found, deletedAt),
  }));
  return { snapshot, isClosed };
};
