import type { CloudEvent } from '@shortlist/contracts/events/define';
import * as billing from '@shortlist/contracts/events/billing';
import {
  accessEnded,
  adminAccessChanged,
  emailChanged,
  userDeleted,
  userRegistered,
} from '@shortlist/contracts/events/identity';
import type { Clock } from '@shortlist/kit/process/clock';
import type { EventHandlers } from '@shortlist/kit/messaging/handle-batch';
import { onOnce } from '@shortlist/kit/messaging/inbox';
import { onRightEnded } from '@shortlist/kit/data/rights';
import type { Db, Tx } from '@shortlist/kit/data/db';
import { removeFiltersOfFormer } from './directory/save-filter.ts';
import { eraseUser } from './erase-user.ts';
import { createProfile, storeEmail, storePlan } from './profiles/change-profile.ts';

/** Every billing event has the whole plan state and the payment problem. */
const onPlanChanged = (tx: Tx, { subject, data }: CloudEvent<billing.WithPlanState>): Promise<void> =>
  storePlan(tx, subject, data);

/** The events that profile consumes. */
export const profileHandlers = ({ db, clock }: { db: Db; clock: Clock }): EventHandlers => {
  const on = onOnce({ db, clock, consumer: 'profile' });
  return [
    on(accessEnded, onRightEnded(clock)),
    on(adminAccessChanged, (tx, { subject, data }) => removeFiltersOfFormer(tx, subject, data)),
    // Creates the profile if the sign-up's request did not.
    on(userRegistered, (tx, { subject, data }) => createProfile(tx, { id: subject, ...data })),
    on(emailChanged, (tx, { subject, data }) => storeEmail(tx, subject, data)),
    on(userDeleted, (tx, { subject, time }) => eraseUser(tx, subject, new Date(time))),
    ...billing.planEvents.map((event) => on(event, onPlanChanged)),
  ];
};
