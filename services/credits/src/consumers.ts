import * as billing from '@shortlist/contracts/events/billing';
import { userDeleted } from '@shortlist/contracts/events/identity';
import type { Clock } from '@shortlist/kit/clock';
import { type Hearings, hearOnce } from '@shortlist/kit/hearings';
import type { Db } from '@shortlist/kit/db';
import { onPlanChanged } from './plans/on-plan-changed.ts';
import { onUserDeleted } from './plans/on-user-deleted.ts';

/** All that credits hears. A new person needs nothing here: their first window opens when they first spend. */
export const creditsHearings = ({ db, clock }: { db: Db; clock: Clock }): Hearings => {
  const hear = hearOnce({ db, clock, hearer: 'credits' });
  const planChanged = onPlanChanged(clock);
  return [
    hear(userDeleted, onUserDeleted),
    hear(billing.paymentSucceeded, planChanged),
    hear(billing.paymentFailed, planChanged),
    hear(billing.paymentRefunded, planChanged),
    hear(billing.planGranted, planChanged),
    hear(billing.planRevoked, planChanged),
    hear(billing.subscriptionChanged, planChanged),
  ];
};
