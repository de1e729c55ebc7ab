import { inTransaction, type Tx } from '@shortlist/kit/data/db';
import { nextPlan } from '../subscriptions/plan.rules.ts';
import {
  findSubscriber,
  listDuePlanEnds,
  lockSubscriber,
  type SubscriberRow,
  writePlan,
} from '../subscriptions/queries.ts';
import { forEachDue } from './each-due.ts';
import { type RefreshParts, refreshWithLease, withLease } from '../refresh/refresh-subscriber.ts';

const WAIT_MS = 2_000;
const ORIGIN = { by: 'schedule', reason: 'end of the plan is due' };

const isDue = ({ planEndsAt, deletedAt }: SubscriberRow, now: Date): boolean =>
  planEndsAt !== null && planEndsAt <= now && deletedAt === null;

/** Emits the end of a plan that is still due. The row lock and the cleared `planEndsAt` make a concurrent run find nothing. */
const emitDueEnd = async (tx: Tx, userId: string, { clock }: RefreshParts): Promise<void> => {
  const current = await lockSubscriber(tx, userId);
  if (current === null || !isDue(current, clock())) return;
  const { paid, granted } = current;
  const change = { columns: { paid, granted }, ...ORIGIN, events: [], earlyEnd: 'canceled' } as const;
  await writePlan(tx, nextPlan(current, change, clock()), clock);
};

/**
 * Ends one due plan, under the user's lease. The refresh comes first: a renewal or a resumption may have happened at Stripe without
 * a webhook. While Stripe is unavailable the end stays due. Returns whether the plan ended.
 */
const endPlan = (parts: RefreshParts, userId: string): Promise<boolean> =>
  withLease(parts, { userId, waitMs: WAIT_MS }, async (lease) => {
    const before = await findSubscriber(parts.db.manager, userId);
    if (before === null || !isDue(before, parts.clock())) return false; // another run was faster
    await refreshWithLease(parts, lease, ORIGIN);
    await inTransaction(parts.db, (tx) => emitDueEnd(tx, userId, parts));
    return (await findSubscriber(parts.db.manager, userId))?.planEndsAt === null;
  });

/** Emits PlanRevoked for every plan whose time is over, however long ago, once each. */
export const endDuePlans = async (parts: RefreshParts): Promise<{ ended: number; failed: number }> => {
  const { done: ended, failed } = await forEachDue(parts, {
    list: (page) => listDuePlanEnds(parts.db.manager, page),
    run: (userId) => endPlan(parts, userId),
    failure: 'end of a plan postponed',
  });
  return { ended, failed };
};
