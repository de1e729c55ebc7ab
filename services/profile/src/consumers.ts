import * as billing from '@shortlist/contracts/events/billing';
import { emailChanged, userDeleted, userRegistered } from '@shortlist/contracts/events/identity';
import type { Clock } from '@shortlist/kit/process/clock';
import { type EventHandlers, onOnce } from '@shortlist/kit/messaging/handle-batch';
import type { Db } from '@shortlist/kit/data/db';
import { onEmailChanged } from './emails/on-email-changed.ts';
import { onPlanChanged } from './plans/on-plan-changed.ts';
import { onUserDeleted } from './profiles/on-user-deleted.ts';
import { onUserRegistered } from './profiles/on-user-registered.ts';

/** The events that profile consumes. */
export const profileHandlers = (parts: { db: Db; clock: Clock }): EventHandlers => {
  const on = onOnce({ ...parts, consumer: 'profile' });
  return [
    on(userRegistered, onUserRegistered),
    on(emailChanged, onEmailChanged),
    on(userDeleted, onUserDeleted),
    on(billing.paymentSucceeded, onPlanChanged),
    on(billing.paymentFailed, onPlanChanged),
    on(billing.paymentRefunded, onPlanChanged),
    on(billing.planGranted, onPlanChanged),
    on(billing.planRevoked, onPlanChanged),
    on(billing.subscriptionChanged, onPlanChanged),
  ];
};
