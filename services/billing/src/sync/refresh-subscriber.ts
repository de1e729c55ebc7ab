import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PlanEndReason } from '@shortlist/contracts/events/billing';
import type { PlanState } from '@shortlist/contracts/plan';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import type { Log } from '@shortlist/kit/process/log';
import { listPaidIds } from '../records/invoice-queries.ts';
import { isLatePaymentRecorded } from '../records/record-invoice.ts';
import { isPaidAfter, refundedAmount } from '../records/records.rules.ts';
import { CANCEL_REASONS } from '../stripe/from-stripe.ts';
import type { StripeGateway } from '../stripe/gateway.ts';
import type { CustomerSnapshot, InvoiceSnapshot } from '../stripe/snapshot.ts';
import { applySnapshot } from '../subscriptions/apply-snapshot.ts';
import { expireCheckouts } from '../subscriptions/expire-checkouts.ts';
import {
  findSubscriber,
  type Lease,
  lockSubscriber,
  ownsLease,
  releaseLease,
  renewLease,
  type SubscriberRow,
  takeLease,
  updateSubscriber,
} from '../subscriptions/queries.ts';
import { liveSubscriptions, returnedSubscriptions } from '../subscriptions/subscription.rules.ts';
import { stateOf } from '../subscriptions/plan.rules.ts';

/** The lease of an owner that died expires after this time; a live owner renews it. */
const LEASE_SECONDS = 10;
const RENEW_MS = 3_000;
const PAUSE_MS = 40;

/** Times that a test replaces. */
export type Limits = {
  /** After which an action of a user ends; see `withDeadline`. */
  deadlineMs?: number;
  /** How long every action waits for a lease. */
  leaseWaitMs?: number;
  leaseRenewMs?: number;
};

/**
 * Runs `work` while no other process reads this user from Stripe or orders for this user: the snapshot that was read last is
 * written last, and parallel requests find each other's result. The lease is a mark in the row and no row lock, so it may span
 * slow calls. Its time is the database's, which all owners share. Throws `billing.busy` when it is not free within `waitMs`.
 */
export const withLease = async <T>(
  { db, limits = {} }: { db: Db; limits?: Limits },
  { userId, waitMs }: { userId: string; waitMs: number },
  work: (lease: Lease) => Promise<T>,
): Promise<T> => {
  const lease = { userId, owner: randomUUID() };
  const giveUpAt = performance.now() + (limits.leaseWaitMs ?? waitMs); // monotonic: a wall clock that is set back would prolong the wait
  while (!(await takeLease(db.manager, lease, LEASE_SECONDS))) {
    if (performance.now() >= giveUpAt) throw createError('billing.busy', { retryAfterSeconds: 2 });
    await sleep(PAUSE_MS);
  }
  const renew = (): void =>
    // A lease that is not renewed may pass to another owner; every write checks the owner, so only this attempt is lost.
    void renewLease(db.manager, lease, LEASE_SECONDS).catch(() => undefined);
  const renewing = setInterval(renew, limits.leaseRenewMs ?? RENEW_MS);
  try {
    return await work(lease);
  } finally {
    clearInterval(renewing);
    await releaseLease(db.manager, lease);
  }
};

type Parts = { db: Db; clock: Clock; stripe: StripeGateway; log: Log };

type Deleted = { userId: string; deletedAt: Date };

/** `isClosed`: Stripe can take no more money of this user. */
type DeletedRead = { snapshot: CustomerSnapshot; isClosed: boolean };

const isRetained = (invoice: InvoiceSnapshot): boolean =>
  invoice.status === 'paid' && refundedAmount(invoice) < invoice.amount;

/**
 * The payments that arrived after the deletion, as far as they have not been refunded: those that are not recorded, and those that
 * were recorded before the deletion was known here.
 */
const listLatePayments = async (
  { db }: Parts,
  { invoices }: CustomerSnapshot,
  deletedAt: Date,
): Promise<InvoiceSnapshot[]> => {
  const retained = invoices.filter(isRetained);
  const recorded = await listPaidIds(
    db.manager,
    retained.map(({ id }) => id),
  );
  const found: InvoiceSnapshot[] = [];
  for (const invoice of retained) {
    const isKnown = recorded.has(invoice.id);
    if (isKnown && !isPaidAfter(invoice, deletedAt)) continue;
    if (!isKnown || !(await isLatePaymentRecorded(db.manager, invoice.id))) found.push(invoice);
  }
  return found;
};

/** Invoices that could still be paid on their page. Stripe refuses to void one whose payment is being processed. */
const isPayable = ({ status, isProcessing }: InvoiceSnapshot): boolean =>
  (status === 'open' || status === 'uncollectible') && !isProcessing;

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
const readDeletedCustomer = async (
  parts: Parts,
  { customerId, ...deleted }: Deleted & { customerId: string },
): Promise<DeletedRead> => {
  // The sessions first: a payment on an open page would start another subscription.
  const isClosed = await expireCheckouts(parts, { userId: deleted.userId, customerId });
  const tried = { void: new Set<string>(), refund: new Set<string>() };
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const snapshot = await parts.stripe.readCustomer(customerId);
    if (!(await closeAtStripe(parts, { ...deleted, snapshot, tried }))) return { snapshot, isClosed };
  }
  throw createError('billing.busy', { retryAfterSeconds: 5 });
};

export type RefreshParts = {
  db: Db;
  clock: Clock;
  stripe: StripeGateway;
  log: Log;
  limits?: Limits;
};
/** Who causes the refresh and why, for the events. `earlyEnd` is the reason if the refresh ends the plan before its time. */
type Origin = { by: string; reason: string; earlyEnd?: PlanEndReason };

/** `isClosed`: Stripe can take no more money of a deleted user. */
type Read = { snapshot: CustomerSnapshot; isClosed: boolean };

/** Cancels subscriptions whose newest payment was returned, by a full refund or a lost dispute, and reads the result. */
const readAfterCancellations = async (stripe: StripeGateway, customerId: string): Promise<Read> => {
  const snapshot = await stripe.readCustomer(customerId);
  const toCancel = returnedSubscriptions(snapshot);
  if (toCancel.length === 0) return { snapshot, isClosed: false };
  for (const { id, reason } of toCancel) await stripe.cancelSubscription(id, CANCEL_REASONS[reason]);
  return { snapshot: await stripe.readCustomer(customerId), isClosed: false };
};

const NO_CUSTOMER: CustomerSnapshot = { subscriptions: [], invoices: [], disputes: [] };

const read = async (parts: RefreshParts, subscriber: SubscriberRow): Promise<Read> => {
  const { userId, customerId, deletedAt } = subscriber;
  if (customerId === null) return { snapshot: NO_CUSTOMER, isClosed: true };
  if (deletedAt !== null) return readDeletedCustomer(parts, { userId, customerId, deletedAt });
  return readAfterCancellations(parts.stripe, customerId);
};

/** Reads the user's customer from Stripe and writes the snapshot. The caller owns the lease. */
export const refreshWithLease = async (
  parts: RefreshParts,
  lease: Lease,
  origin: Origin,
): Promise<PlanState> => {
  const { db, clock, log } = parts;
  const subscriber = await findSubscriber(db.manager, lease.userId);
  if (subscriber === null) throw createError('billing.user_not_found');
  if (subscriber.customerId === null && !subscriber.closing) return stateOf(subscriber);
  const { snapshot, isClosed } = await read(parts, subscriber);
  const state = await inTransaction(db, async (tx) => {
    // An owner that paused for longer than its lease must not overwrite a newer snapshot.
    if (!(await ownsLease(tx, lease))) throw createError('billing.busy');
    const current = await lockSubscriber(tx, lease.userId);
    // A payment of a user who was deleted meanwhile must be refunded before it is recorded.
    if (current?.deletedAt?.getTime() !== subscriber.deletedAt?.getTime()) return null;
    if (subscriber.deletedAt !== null) await updateSubscriber(tx, lease.userId, { closing: !isClosed });
    return applySnapshot(tx, lease.userId, { snapshot, clock, log, ...origin });
  });
  return state ?? refreshWithLease(parts, lease, origin);
};

/**
 * Brings the stored state in line with Stripe's. Webhooks, the success page and reconciliation all call it, so their order,
 * repetition and loss make no difference to the final state.
 */
export const refreshSubscriber = (
  parts: RefreshParts,
  userId: string,
  { waitMs, ...origin }: Origin & { waitMs: number },
): Promise<PlanState> =>
  withLease(parts, { userId, waitMs }, (lease) => refreshWithLease(parts, lease, origin));
