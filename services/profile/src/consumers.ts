import * as billing from '@shortlist/contracts/events/billing';
import { userDeleted, userRegistered } from '@shortlist/contracts/events/identity';
import type { Clock } from '@shortlist/kit/clock';
import { type Hearings, hearOnce } from '@shortlist/kit/hearings';
import type { Db } from '@shortlist/kit/db';
import { onPlanChanged } from './plans/on-plan-changed.ts';
import { onUserDeleted } from './profiles/on-user-deleted.ts';
import { onUserRegistered } from './profiles/on-user-registered.ts';

/** All that profile hears. */
export const profileHearings = (parts: { db: Db; clock: Clock }): Hearings => {
  const hear = hearOnce({ ...parts, hearer: 'profile' });
  return [
    hear(userRegistered, onUserRegistered),
    hear(userDeleted, onUserDeleted),
    hear(billing.paymentSucceeded, onPlanChanged),
    hear(billing.paymentFailed, onPlanChanged),
    hear(billing.paymentRefunded, onPlanChanged),
    hear(billing.planGranted, onPlanChanged),
    hear(billing.planRevoked, onPlanChanged),
    hear(billing.subscriptionChanged, onPlanChanged),
  ];
};
