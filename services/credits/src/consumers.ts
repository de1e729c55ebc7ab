import * as billing from '@shortlist/contracts/events/billing';
import type { CloudEvent } from '@shortlist/contracts/events/define';
import { accessEnded, userDeleted } from '@shortlist/contracts/events/identity';
import type { PlanState } from '@shortlist/contracts/plan';
import type { Db, Tx } from '@shortlist/kit/data/db';
import { onRightEnded } from '@shortlist/kit/data/rights';
import { type EventHandlers, on } from '@shortlist/kit/messaging/handle-batch';
import { onOnce } from '@shortlist/kit/messaging/inbox';
import type { Clock } from '@shortlist/kit/process/clock';
import { applyPack } from './balance/change-bucket.ts';
import { applyPlanState } from './balance/apply-plan.ts';
import { eraseUser } from './erase-user.ts';

/** The events that credits consumes. UserRegistered is not one of them: a user's first charge opens the first bucket. */
export const creditsHandlers = (db: Db, clock: Clock): EventHandlers => {
  const inbox = { db, clock, consumer: 'credits' };
  const once = onOnce(inbox);
  // Every billing event carries the whole plan state.
  const planChanged = (tx: Tx, { subject, data }: CloudEvent<{ planState: PlanState }>): Promise<void> =>
    applyPlanState(tx, subject, data.planState, clock);
  return [
    once(accessEnded, onRightEnded(clock)),
    on(userDeleted, eraseUser(inbox)),
    ...billing.planEvents.map((event) => once(event, planChanged)),
    once(billing.creditPackChanged, (tx, { subject, data }) => applyPack(tx, subject, data, clock)),
  ];
};
