import { redactEntries } from '@shortlist/audit/audit-log';
import type { CloudEvent } from '@shortlist/contracts/events/define';
import type { UserDeleted } from '@shortlist/contracts/events/identity';
import type { Tx } from '@shortlist/kit/data/db';
import { change } from '@shortlist/kit/data/sql';
import { refreshSubscriber, type RefreshParts } from './refresh/refresh-subscriber.ts';
import { insertSubscriberIfAbsent, listClosing, updateSubscriber } from './subscriptions/queries.ts';

const STATEMENTS = [
  'DELETE FROM credit_packs WHERE user_id = ?',
  // What admins wrote on the alerts about the user.
  'UPDATE alerts SET note = NULL WHERE user_id = ? AND note IS NOT NULL',
  `UPDATE stripe_events e JOIN subscribers s ON s.customer_id = e.customer_id SET e.payload = '{}' WHERE s.user_id = ?`,
] as const;

/**
 * Removes personal data and keeps what accounting needs. The row stays, so that a late event cannot bring the user back;
 * `closeDeletedUser` ends checkouts and subscriptions at Stripe outside any transaction.
 */
export const eraseUser = async (tx: Tx, { subject, time }: CloudEvent<UserDeleted>): Promise<void> => {
  await insertSubscriberIfAbsent(tx, { userId: subject, email: '', name: '' });
  await updateSubscriber(tx, subject, {
    email: '',
    name: '',
    planEndsAt: null,
    cardWarningAt: null,
    cardsWarned: null,
    card: null,
    deletedAt: new Date(time),
    closing: true,
  });
  for (const sql of STATEMENTS) await change(tx, { sql, values: [subject] });
  await redactEntries(tx, subject);
};

const WAIT_MS = 2_000;

/**
 * Closes everything by which Stripe could still take money of a deleted user, which a refresh of a deleted user does. A failure is
 * logged; reconciliation tries again.
 */
export const closeDeletedUser = async (parts: RefreshParts, userId: string): Promise<void> => {
  try {
    await refreshSubscriber(parts, userId, { by: 'deletion', reason: 'user deleted', waitMs: WAIT_MS });
  } catch (error) {
    parts.log.warn({ err: error, userId }, 'deleted user not closed at Stripe yet');
  }
};

/** Closes at Stripe what could not be closed when its users were deleted. */
export const closeDeleted = async (parts: RefreshParts): Promise<void> => {
  for (const userId of await listClosing(parts.db.manager)) await closeDeletedUser(parts, userId);
};
