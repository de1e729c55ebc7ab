import { inTransaction, type Tx } from '@shortlist/kit/data/db';
import {
  LEASE_WAIT_MS,
  type RefreshParts,
  refreshSubscriber,
  refreshWithLease,
  withReadLease,
} from '../refresh/refresh-subscriber.ts';
import { nextPlan } from '../subscriptions/plan.rules.ts';
import {
  type DuePage,
  findSubscriber,
  listDueCardWarnings,
  listDuePlanEnds,
  listDueTrialNotices,
  lockSubscriber,
  type SubscriberRow,
  writePlan,
} from '../subscriptions/queries.ts';

const PAGE = 200;
const CONCURRENCY = 4;

export type Result = { done: number; failed: number };

type Due = {
  list: (page: DuePage) => Promise<string[]>;
  /** Returns whether it did something; another run may have been faster. */
  run: (userId: string) => Promise<boolean>;
  /** The log message of a failure. */
  failure: string;
};

const runPage = async (
  { log }: RefreshParts,
  userIds: readonly string[],
  { run, failure }: Due,
): Promise<Result> => {
  const result: Result = { done: 0, failed: 0 };
  const waiting = [...userIds];
  const work = async (): Promise<void> => {
    for (let userId = waiting.shift(); userId !== undefined; userId = waiting.shift()) {
      try {
        if (await run(userId)) result.done += 1;
      } catch (error) {
        result.failed += 1;
        log.warn({ err: error, userId }, failure);
      }
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return result;
};

/**
 * Does what is due for each user, a few at a time. Stops after a page in which every user failed, because Stripe is probably unavailable and
 * the next run follows soon.
 */
const forEachDue = async (parts: RefreshParts, due: Due): Promise<Result> => {
  const result: Result = { done: 0, failed: 0 };
  for (let afterUserId = ''; ;) {
    const userIds = await due.list({ now: parts.clock(), afterUserId, limit: PAGE });
    const { done, failed } = await runPage(parts, userIds, due);
    result.done += done;
    result.failed += failed;
    if (userIds.length < PAGE || failed === PAGE) return result;
    afterUserId = userIds.at(-1) ?? '';
  }
};

const END = { by: 'schedule', reason: 'end of the plan is due' };

const isDue = ({ planEndsAt, deletedAt }: SubscriberRow, now: Date): boolean =>
  planEndsAt !== null && planEndsAt <= now && deletedAt === null;

/** Emits the end of a plan that is still due. The row lock and the cleared `planEndsAt` make a concurrent run find nothing. */
const emitDueEnd = async (tx: Tx, userId: string, { clock }: RefreshParts): Promise<void> => {
  const current = await lockSubscriber(tx, userId);
  if (current === null || !isDue(current, clock())) return;
  const { paid, granted } = current;
  const change = { columns: { paid, granted }, ...END, events: [], earlyEnd: 'canceled' } as const;
  await writePlan(tx, nextPlan(current, change, clock()), clock);
};

/**
 * Ends one due plan, under the user's lease. The refresh comes first: a renewal or a resumption may have happened at Stripe without
 * a webhook. While Stripe is unavailable the end stays due. Returns whether the plan ended.
 */
const endPlan = (parts: RefreshParts, userId: string): Promise<boolean> =>
  withReadLease(parts, { userId, waitMs: LEASE_WAIT_MS.background }, async (lease) => {
    const before = await findSubscriber(parts.db.manager, userId);
    if (before === null || !isDue(before, parts.clock())) return false; // another run was faster
    await refreshWithLease(parts, lease, END);
    await inTransaction(parts.db, (tx) => emitDueEnd(tx, userId, parts));
    return (await findSubscriber(parts.db.manager, userId))?.planEndsAt === null;
  });

/** Emits PlanRevoked once for every plan whose time is over, however long ago. */
export const endDuePlans = async (parts: RefreshParts): Promise<{ ended: number; failed: number }> => {
  const { done: ended, failed } = await forEachDue(parts, {
    list: (page) => listDuePlanEnds(parts.db.manager, page),
    run: (userId) => endPlan(parts, userId),
    failure: 'end of a plan postponed',
  });
  return { ended, failed };
};

const WARNING = { by: 'schedule', reason: 'warning of a charge is due', waitMs: LEASE_WAIT_MS.background };

const warn = (
  parts: RefreshParts,
  list: (page: DuePage) => Promise<string[]>,
  failure: string,
): Promise<Result> =>
  forEachDue(parts, {
    list,
    run: async (userId) => {
      await refreshSubscriber(parts, userId, WARNING);
      return true;
    },
    failure,
  });

/**
 * Refreshes the users who are due for an email about their expiring card, or about the end of their trial. The refresh emits the event, unless
 * the card was replaced, or the plan has ended or will, and clears the due time.
 */
export const warnOfCards = async (parts: RefreshParts): Promise<Result> => {
  const { manager } = parts.db;
  const cards = await warn(
    parts,
    (page) => listDueCardWarnings(manager, page),
    'warning of a card postponed',
  );
  const trials = await warn(
    parts,
    (page) => listDueTrialNotices(manager, page),
    'notice of a trial postponed',
  );
  return { done: cards.done + trials.done, failed: cards.failed + trials.failed };
};
