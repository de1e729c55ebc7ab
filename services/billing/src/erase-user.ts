import { redactEntries } from '@shortlist/audit/audit-log';
import type { CloudEvent } from '@shortlist/contracts/events/define';
import type { UserDeleted } from '@shortlist/contracts/events/identity';
import type { Tx } from '@shortlist/kit/data/db';
import { change } from '@shortlist/kit/data/sql';
import { LEASE_WAIT_MS, type RefreshParts, refreshSubscriber } from './refresh/refresh-subscriber.ts';
import { insertSubscriberIfAbsent, listClosing, updateSubscriber } from './subscriptions/queries.ts';

const STATEMENTS = [
  'DELETE FROM credit_packs WHERE user_id = ?',
  // Admins' notes on alerts about the user.
  'UPDATE alerts SET note = NULL WHERE user_id = ? AND note IS NOT NULL',
  `UPDATE stripe_events e JOIN subscribers s ON s.customer_id = e.customer_id SET e.payload = '{}' WHERE s.user_id = ?`,
] as const;

/**
 * Removes personal data and keeps what accounting needs. The row stays, so that a late event cannot bring the user back;
 * `closeDeletedUser` ends checkouts and subscriptions at Stripe outside any transaction.
 */
export const eraseUser = async (
  tx: Tx,
  { subject, time }: Pick<CloudEvent<UserDeleted>, 'subject' | 'time'>,
): Promise<void> => {
  await insertSubscriberIfAbsent(tx, { userId: subject, email: '', name: '' });
  await updateSubscriber(tx, subject, {
    email: '',
    name: '',
    planEndsAt: null,
    cardWarningAt: null,
    cardsWarned: null,
    trialNoticeAt: null,
    card: null,
    discount: null,
    deletedAt: new Date(time),
    closing: true,
  });
  for (const sql of STATEMENTS) await change(tx, { sql, values: [subject] });
  await redactEntries(tx, subject);
};

/** Closes everything through which Stripe could still charge a deleted user, by a refresh. Logs a failure; reconciliation tries again. */
export const closeDeletedUser = async (parts: RefreshParts, userId: string): Promise<void> => {
  try {
    await refreshSubscriber(parts, userId, {
      by: 'deletion',
      reason: 'user deleted',
      waitMs: LEASE_WAIT_MS.background,
    });
  } catch (error) {
    parts.log.warn({ err: error, userId }, 'deleted user not closed at Stripe yet');
  }
};

/** Repeats `closeDeletedUser` for users for whom it failed. */
export const closeDeleted = async (parts: RefreshParts): Promise<void> => {
  for (const userId of await listClosing(parts.db.manager)) await closeDeletedUser(parts, userId);
};
