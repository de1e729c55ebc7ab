import { planAt } from '@shortlist/contracts/plan';
import { inTransaction } from '@shortlist/kit/data/db';
import {
  findRecorded,
  isRecorded,
  type OwnedSubscription,
  recordSubscriptions,
  type SubscriptionRow,
} from '../records/subscription-queries.ts';
import { adoptCustomer } from '../refresh/adopt-customer.ts';
import { LEASE_WAIT_MS, type RefreshParts, refreshSubscriber } from '../refresh/refresh-subscriber.ts';
import { isMissing, stripeErrorOf } from '../stripe/client.ts';
import type { ListedSubscription, Page } from '../stripe/lists.ts';
import { findSubscriber, listByCustomers, type SubscriberRow } from '../subscriptions/queries.ts';
import { stateOf } from '../subscriptions/plan.rules.ts';
import { isOngoing } from '../subscriptions/subscription.rules.ts';
import { type CursorRow, findCursor, setCursor } from './queries.ts';
import { changesOf, differsFrom } from './reconcile.rules.ts';

export type Reconciled = { checked: number; failed: number; repaired: { userId: string; what: string }[] };
/** One run of reconciliation; the steps add to its result. */
export type Run = RefreshParts & { result: Reconciled };

const ORIGIN = {
  by: 'reconciliation',
  reason: 'reconciliation',
  waitMs: LEASE_WAIT_MS.background,
  everything: true,
};

/** Refreshes one subscriber and records changes. If the refresh fails, the run continues. */
const repairSubscriber = async (run: Run, before: SubscriberRow): Promise<void> => {
  const { userId } = before;
  try {
    await refreshSubscriber(run, userId, ORIGIN);
  } catch (error) {
    run.result.failed += 1;
    run.log.warn({ err: error, userId }, 'subscriber not reconciled');
    return;
  }
  const after = await findSubscriber(run.db.manager, userId);
  const what = after ? changesOf(before, after) : '';
  if (what !== '') run.result.repaired.push({ userId, what });
};

export const repairCustomers = async (run: Run, customerIds: string[]): Promise<void> => {
  for (const subscriber of await listByCustomers(run.db.manager, [...new Set(customerIds)]))
    await repairSubscriber(run, subscriber);
};

export const repairUsers = async (run: Run, userIds: string[]): Promise<void> => {
  for (const userId of new Set(userIds)) {
    const subscriber = await findSubscriber(run.db.manager, userId);
    if (subscriber !== null) await repairSubscriber(run, subscriber);
  }
};

type Walk<T> = {
  list: CursorRow['list'];
  /** Pages of a hundred objects per run; the next run continues at the cursor. */
  pages: number;
  read: (cursor: string | null) => Promise<Page<T>>;
  compare: (data: T[]) => Promise<void>;
};

/** The page after the cursor, or the first page if the cursor's object no longer exists. */
const readFrom = async <T>(read: Walk<T>['read'], cursor: string | null): Promise<Page<T>> => {
  try {
    return await read(cursor);
  } catch (error) {
    if (cursor === null || !isMissing(stripeErrorOf(error))) throw error;
    return read(null);
  }
};

/** Compares some pages of one of Stripe's lists with the stored records, continuing where the last run stopped. */
export const walkList = async <T>({ db }: Run, { list, pages, read, compare }: Walk<T>): Promise<void> => {
  let cursor = await findCursor(db.manager, list);
  for (let page = 0; page < pages; page += 1) {
    const { data, next } = await readFrom(read, cursor);
    await compare(data);
    cursor = next;
    await setCursor(db.manager, { list, position: cursor });
    if (cursor === null) return;
  }
};

const PAGES_PER_RUN = 20;

/** Finds the user of an ongoing subscription whose customer is unknown here. */
const adopt = async (
  run: Run,
  { id: objectId, customerId, status, sellsPlan }: ListedSubscription,
): Promise<void> => {
  if (!isOngoing(status) || !sellsPlan) return;
  const userId = await adoptCustomer(run, { customerId, objectId, kind: 'subscription_without_user' });
  if (userId !== null) await repairUsers(run, [userId]);
};

/** Whether the history lacks a subscription or differs from it. Subscriptions that never sold the plan are not part of the history. */
const isOutdated = (subscription: ListedSubscription, row: SubscriptionRow | undefined): boolean =>
  (subscription.sellsPlan || row !== undefined) && !isRecorded(subscription, row);

const compare = async (run: Run, listed: ListedSubscription[]): Promise<void> => {
  const { db, clock, result } = run;
  const rows = await listByCustomers(db.manager, [...new Set(listed.map(({ customerId }) => customerId))]);
  const byCustomer = new Map(rows.map((row) => [row.customerId, row]));
  const recorded = await findRecorded(
    db.manager,
    listed.map(({ id }) => id),
  );
  const missing: OwnedSubscription[] = [];
  result.checked += listed.length;
  for (const subscription of listed) {
    const row = byCustomer.get(subscription.customerId);
    if (row === undefined) {
      await adopt(run, subscription);
      continue;
    }
    const isPaid = planAt({ ...stateOf(row), granted: null }, clock()).plan === 'premium';
    if (differsFrom(subscription, row, isPaid)) await repairSubscriber(run, row);
    else if (isOutdated(subscription, recorded.get(subscription.id)))
      missing.push({ userId: row.userId, subscription });
  }
  // The list has everything that the history needs, so that filling it in needs no call for each customer.
  await inTransaction(db, (tx) => recordSubscriptions(tx, missing));
};

/** Compares some pages of Stripe's subscriptions with the stored state and refreshes the subscribers that differ. */
export const reconcileSubscriptions = (run: Run): Promise<void> =>
  walkList(run, {
    list: 'subscriptions',
    pages: PAGES_PER_RUN,
    read: run.stripe.listSubscriptions,
    compare: (listed) => compare(run, listed),
  });
