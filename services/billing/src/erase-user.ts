import { redactEntries } from '@shortlist/audit/audit-log';
import type { CloudEvent } from '@shortlist/contracts/events/define';
import type { UserDeleted } from '@shortlist/contracts/events/identity';
import type { Tx } from '@shortlist/kit/data/db';
import { deleteNotesOn } from './alerts/queries.ts';
import { redactPayloads } from './inbox/queries.ts';
import { deletePacksOf } from './packs/queries.ts';
import { insertSubscriberIfAbsent, updateSubscriber } from './subscriptions/queries.ts';

/**
 * Removes personal data and keeps what accounting needs. The row stays, so that a late event cannot bring the user back;
 * `refresh/push-changes.ts` ends checkouts and subscriptions at Stripe outside any transaction.
 */
export const eraseUser = async (tx: Tx, { subject, time }: CloudEvent<UserDeleted>): Promise<void> => {
  await insertSubscriberIfAbsent(tx, { userId: subject, email: '', name: '' });
  await updateSubscriber(tx, subject, {
    email: '',
    name: '',
    planEndsAt: null,
    cardWarningAt: null,
    cardsWarned: null,
    deletedAt: new Date(time),
    closing: true,
  });
  await deletePacksOf(tx, subject);
  await deleteNotesOn(tx, subject);
  await redactPayloads(tx, subject);
  await redactEntries(tx, subject);
};
