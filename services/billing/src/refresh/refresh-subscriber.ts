import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { days } from '@shortlist/contracts/durations';
import type { PlanEndReason } from '@shortlist/contracts/events/billing';
import type { PlanState } from '@shortlist/contracts/plan';
import { type Db, inTransaction, runEffectCheck, type Tx } from '@shortlist/kit/data/db';
import { type Clock, withTimeout } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import type { Log } from '@shortlist/kit/process/log';
import type { Policies } from '../config.ts';
import { recordPacks } from '../packs/record-packs.ts';
import { listAwaitingRefresh, settleEvents } from '../records/event-queries.ts';
import { listClosedDisputes } from '../records/dispute-queries.ts';
import { listPaidIds } from '../records/invoice-queries.ts';
import { recordMovements } from '../revenue/record-movements.ts';
import type { StripeGateway } from '../stripe/gateway.ts';
import { collectRequests, listOwnRequests } from '../stripe/own-requests.ts';
import type { CustomerSnapshot, InvoiceSnapshot, SubscriptionSnapshot } from '../stripe/snapshot.ts';
import { applySnapshot } from '../subscriptions/apply-snapshot.ts';
import { stateOf } from '../subscriptions/plan.rules.ts';
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
  writePlan,
} from '../subscriptions/queries.ts';
import {
  invoicesToVoid,
  paymentsToRefund,
  type PlanLimits,
  returnedSubscriptions,
  withChanged,
} from '../subscriptions/subscription.rules.ts';
import { claimTrials } from '../trials/claim-trial.ts';
import type { TrialPolicy } from '../trials/offered-trial.ts';
import { type CustomerRead, readDeletedCustomer, readSettled, type Unsettled } from './settle-customer.ts';

/** How long to wait for another owner's lease: a person longer than a job, which comes again. */
export const LEASE_WAIT_MS = { interactive: 4_000, background: 2_000 } as const;

/** A dead owner's lease expires after this time; a live owner renews it. */
const LEASE_SECONDS = 10;
const RENEW_MS = 3_000;
const PAUSE_MS = 40;

/** Times that tests override. */
export type Limits = {
  /** The time limit of a user's action; see `withDeadline`. */
  deadlineMs?: number;
  /** How long every action waits for a lease. */
  leaseWaitMs?: number;
  leaseRenewMs?: number;
  /** How long a webhook waits for further ones of its customer. */
  quietMs?: number;
};

/**
 * Runs `work` while no other process reads this user from Stripe or orders for this user, so that the newest snapshot is written last, and
 * concurrent requests find each other's result. The lease is a value in the row, not a row lock, so it may span slow calls. Its time is the
 * database's, which all owners share. Throws `billing.busy` if it is not free within `waitMs`.
 */
export const withLease = async <T>(
  { db, limits = {} }: { db: Db; limits?: Limits },
  { userId, waitMs }: { userId: string; waitMs: number },
  work: (lease: Lease) => Promise<T>,
): Promise<T> => {
  const lease = { userId, owner: randomUUID() };
  const giveUpAt = performance.now() + (limits.leaseWaitMs ?? waitMs); // monotonic, because a wall clock that is set back would prolong the wait
  while (!(await takeLease(db.manager, lease, LEASE_SECONDS))) {
    if (performance.now() >= giveUpAt) throw createError('billing.busy', { retryAfterSeconds: 2 });
    await sleep(PAUSE_MS);
  }
  const renew = (): void =>
    // A lease that is not renewed may pass to another owner; every write checks the owner, so only this attempt is lost.
    void renewLease(db.manager, lease, LEASE_SECONDS).catch(() => undefined);
  const renewing = setInterval(renew, limits.leaseRenewMs ?? RENEW_MS);
  try {
    await runEffectCheck(db); // the wait may have been long
    return await collectRequests(() => work(lease));
  } finally {
    clearInterval(renewing);
    await releaseLease(db.manager, lease);
  }
};

/** `withLease` for work that reads the customer. In the background it waits for its calls to Stripe first, so that a user never waits with it. */
export const withReadLease = <T>(
  parts: RefreshParts,
  options: { userId: string; waitMs: number },
  work: (lease: Lease) => Promise<T>,
): Promise<T> => parts.stripe.reserveRead(() => withLease(parts, options, work));

/** Below the ten seconds in which a request must get a response (F9), however many calls to Stripe it makes. */
export const DEADLINE_MS = 9_000;

/**
 * Waits at most nine seconds for an action. The action itself continues under its lease, and a repeated request finds its result. Throws
 * `billing.provider_unavailable`.
 */
export const withDeadline = <T>(
  action: Promise<T>,
  { limits = {} }: { limits?: Limits | undefined },
): Promise<T> =>
  withTimeout(action, limits.deadlineMs ?? DEADLINE_MS, () =>
    createError('billing.provider_unavailable', { retryAfterSeconds: 5 }),
  );

export type RefreshParts = {
  db: Db;
  clock: Clock;
  stripe: StripeGateway;
  log: Log;
  policies: Policies;
  trials: TrialPolicy;
  limits?: Limits;
};
/**
 * The cause of the refresh, for the events. `earlyEnd`: the reason if the refresh ends the plan before its time. `record`: writes in the
 * transaction of what was read; `isDeleted` is whether the user's entries of the audit log are redacted.
 */
type Origin = {
  by: string;
  reason: string;
  earlyEnd?: PlanEndReason;
  record?: (tx: Tx, isDeleted: boolean) => Promise<void>;
};

/** Long after a bank has decided a dispute, neither its state nor its money changes. */
const DISPUTE_FINAL_MS = days(90);

/** `everything`: read also what is stored and cannot have changed, to find a wrong record. */
type Source = { everything?: boolean };

/** The payments to refund that have not been recorded: a change of policy applies only to future ones. */
const listRefundable = async (
  { db, clock, policies }: RefreshParts,
  snapshot: CustomerSnapshot,
  { granted, revokedAt }: PlanLimits,
): Promise<InvoiceSnapshot[]> => {
  const found = paymentsToRefund(snapshot, { granted, revokedAt, policies, now: clock() });
  const recorded = await listPaidIds(
    db.manager,
    found.map(({ id }) => id),
  );
  return found.filter(({ id }) => !recorded.has(id));
};

/** The subscriptions that must not be charged, and why. */
const listToCancel = async (
  parts: RefreshParts,
  user: Pick<SubscriberRow, 'userId' | 'email'>,
  snapshot: CustomerSnapshot,
): Promise<Unsettled['toCancel']> => {
  const refused = await claimTrials(parts, user, snapshot);
  const returned = returnedSubscriptions(snapshot, parts.policies);
  return [...refused.map((id) => ({ id, reason: 'trial' as const })), ...returned];
};

/**
 * Reads the customer, or begins with a snapshot, and ends at Stripe what must no longer be charged or paid: subscriptions whose payment was
 * returned, second trials, and open invoices of ended ones. Refunds late payments that would buy nothing.
 */
const readCustomer = async (
  parts: RefreshParts,
  { userId, email, ...limits }: PlanLimits & Pick<SubscriberRow, 'userId' | 'email'>,
  {
    customerId,
    known,
    everything = false,
  }: Source & { customerId: string; known?: CustomerSnapshot | undefined },
): Promise<CustomerSnapshot> => {
  const finalBefore = new Date(parts.clock().getTime() - DISPUTE_FINAL_MS);
  const finalDisputes = everything ? [] : await listClosedDisputes(parts.db.manager, userId, finalBefore);
  const customer = { userId, customerId, refusalText: 'late payment not refunded', known, finalDisputes };
  return readSettled(parts, customer, async (found) => ({
    toCancel: await listToCancel(parts, { userId, email }, found),
    toVoid: invoicesToVoid(found, parts.policies),
    findToRefund: () => listRefundable(parts, found, limits),
  }));
};

const NO_CUSTOMER: CustomerSnapshot = {
  subscriptions: [],
  foreign: [],
  invoices: [],
  packs: [],
  disputes: [],
};

const read = async (
  parts: RefreshParts,
  subscriber: SubscriberRow,
  source: Source,
): Promise<CustomerRead> => {
  const { userId, customerId, deletedAt } = subscriber;
  if (customerId === null) return { snapshot: NO_CUSTOMER, isClosed: true };
  if (deletedAt !== null) return readDeletedCustomer(parts, { userId, customerId, deletedAt });
  return { snapshot: await readCustomer(parts, subscriber, { ...source, customerId }), isClosed: false };
};

/** A customer as read from Stripe. `settles`: the events that the read includes, besides all from before `readAt`. */
export type Reading = CustomerRead & { subscriber: SubscriberRow; settles: string[]; readAt: Date | null };

/** Reads the user's customer from Stripe. The caller owns the lease. */
export const readWithLease = async (
  parts: RefreshParts,
  { userId }: Lease,
  source: Source = {},
): Promise<Reading> => {
  const { db, stripe } = parts;
  const subscriber = await findSubscriber(db.manager, userId);
  if (subscriber === null) throw createError('billing.user_not_found');
  // Before the read: an event that arrives later may describe a change that the snapshot does not contain.
  const readAt = stripe.earliestNow();
  const events =
    subscriber.customerId === null ? [] : await listAwaitingRefresh(db.manager, subscriber.customerId);
  const settles = events.map(({ eventId }) => eventId);
  return { ...(await read(parts, subscriber, source)), subscriber, settles, readAt };
};

/**
 * Adds to a reading what the caller has just changed at Stripe, and ends what must no longer be charged or paid after that. Reads again only where
 * Stripe's responses are not enough; a null among them stands for a subscription that had ended before.
 */
export const withChanges = async (
  parts: RefreshParts,
  reading: Reading,
  responses: (SubscriptionSnapshot | null)[],
): Promise<Reading> => {
  const { userId, customerId } = reading.subscriber;
  const subscriber = await findSubscriber(parts.db.manager, userId);
  if (subscriber === null || customerId === null) return reading;
  const changed = responses.filter((one) => one !== null);
  const isEnough = changed.length === responses.length;
  const known = (isEnough && withChanged(reading.snapshot, changed)) || undefined;
  return { ...reading, snapshot: await readCustomer(parts, subscriber, { customerId, known }) };
};

/** Writes what was read from Stripe. The caller owns the lease, and has read under it. */
export const applyWithLease = async (
  parts: RefreshParts,
  lease: Lease,
  { reading, record, ...origin }: Origin & { reading: Reading },
): Promise<PlanState> => {
  const { db, policies, clock, log } = parts;
  const { subscriber, snapshot, isClosed, settles, readAt } = reading;
  const state = await inTransaction(db, async (tx) => {
    // An owner that paused for longer than its lease must not overwrite a newer snapshot.
    if (!(await ownsLease(tx, lease))) throw createError('billing.busy');
    const current = await lockSubscriber(tx, lease.userId);
    // A payment of a user who has just been deleted must be refunded before it is recorded.
    if (current?.deletedAt?.getTime() !== subscriber.deletedAt?.getTime()) return null;
    const columns = { readAt, ownRequests: listOwnRequests() };
    await updateSubscriber(tx, lease.userId, {
      ...columns,
      ...(subscriber.deletedAt !== null && { closing: !isClosed }),
    });
    await settleEvents(tx, settles, { status: 'done' });
    const next = await applySnapshot(tx, lease.userId, { snapshot, policies, clock, log, ...origin });
    await recordPacks(tx, lease.userId, { snapshot, clock, log });
    const planState = await writePlan(tx, next, clock);
    await record?.(tx, subscriber.deletedAt !== null);
    await recordMovements(tx, lease.userId, clock());
    return planState;
  });
  return state ?? refreshWithLease(parts, lease, { ...origin, ...(record && { record }) });
};

/** Reads the user's customer from Stripe and writes the snapshot. The caller owns the lease. */
export const refreshWithLease = async (
  parts: RefreshParts,
  lease: Lease,
  { everything = false, ...origin }: Origin & Source,
): Promise<PlanState> => {
  const reading = await readWithLease(parts, lease, { everything });
  const { subscriber } = reading;
  if (subscriber.customerId === null && !subscriber.closing) return stateOf(subscriber);
  return applyWithLease(parts, lease, { ...origin, reading });
};

/**
 * Brings the stored state in line with Stripe's. Webhooks, the success page and reconciliation all call it, so their order,
 * repetition and loss make no difference to the final state.
 */
export const refreshSubscriber = (
  parts: RefreshParts,
  userId: string,
  { waitMs, ...origin }: Origin & Source & { waitMs: number },
): Promise<PlanState> =>
  withReadLease(parts, { userId, waitMs }, (lease) => refreshWithLease(parts, lease, origin));
