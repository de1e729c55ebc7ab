import * as column from '@shortlist/kit/data/columns';
import type { Tx } from '@shortlist/kit/data/db';
import { defineEntity } from '@shortlist/kit/data/entity';
import { insertIfAbsent } from '@shortlist/kit/data/insert';
import { change, sql } from '@shortlist/kit/data/sql';

export const deletedUserEntity = defineEntity('deleted_user', 'deleted_users', {
  userId: { ...column.uuid, primary: true },
  deletedAt: column.dateTime,
});

/**
 * Whether the user was deleted, as a condition of a statement about a row that the transaction has inserted before: a deletion under way waits
 * for that row, or this condition for the deletion, so that one of them removes its content.
 */
export const isDeleted = (userId: string) =>
  sql`EXISTS (SELECT 1 FROM deleted_users d WHERE d.user_id = ${userId} LOCK IN SHARE MODE)`;

const STATEMENTS = [
  // The messages before their deliveries: who creates deliveries has locked the message.
  'DELETE FROM webhook_messages WHERE user_id = ?',
  'DELETE FROM webhook_deliveries WHERE user_id = ?',
  // The rows of emails stay as a record, without their content; unsent ones are skipped.
  `UPDATE mails SET data = '{}', last_error = NULL, redacted_at = NOW(3) WHERE user_id = ? AND redacted_at IS NULL`,
  `UPDATE mails SET status = 'skipped', changed_at = NOW(3) WHERE user_id = ? AND status IN ('pending', 'sending')`,
  // After the emails, in the same lock order as the storage of provider events.
  'DELETE FROM suppressions WHERE user_id = ?',
  'DELETE FROM turned_off_mails WHERE user_id = ?',
] as const;

/**
 * Deletes all webhook messages about a user, and the content of the user's emails. The row in deleted_users keeps later events, of topics that
 * are read later, from storing others.
 */
export const eraseUser = async (tx: Tx, userId: string, deletedAt: Date): Promise<void> => {
  await insertIfAbsent(tx, deletedUserEntity, { userId, deletedAt });
  for (const statement of STATEMENTS) await change(tx, { sql: statement, values: [userId] });
};
