import * as billing from '@shortlist/contracts/events/billing';
import { userDeleted } from '@shortlist/contracts/events/identity';
import type { Clock } from '@shortlist/kit/process/clock';
import { type EventHandlers, onOnce } from '@shortlist/kit/messaging/event-handlers';
import type { Db } from '@shortlist/kit/data/db';
import { onPlanChanged } from './plans/on-plan-changed.ts';
import { onUserDeleted } from './deletion/on-user-deleted.ts';

/** The events that credits consumes. UserRegistered is not one of them: a user's first charge opens the first window. */
export const creditsHandlers = ({ db, clock }: { db: Db; clock: Clock }): EventHandlers => {
  const on = onOnce({ db, clock, consumer: 'credits' });
  const planChanged = onPlanChanged(clock);
  return [
    on(userDeleted, onUserDeleted),
    on(billing.paymentSucceeded, planChanged),
    on(billing.paymentFailed, planChanged),
    on(billing.paymentRefunded, planChanged),
    on(billing.planGranted, planChanged),
    on(billing.planRevoked, planChanged),
    on(billing.subscriptionChanged, planChanged),
  ];
};
