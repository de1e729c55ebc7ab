import type { Tx } from '@shortlist/kit/data/db';
import { change } from '@shortlist/kit/data/sql';

const STATEMENTS = [
  'DELETE FROM webhook_deliveries WHERE user_id = ?',
  'DELETE FROM webhook_messages WHERE user_id = ?',
  // The rows of emails stay as a record, without their content; unsent ones are skipped.
  `UPDATE mails SET data = '{}', last_error = NULL, redacted_at = NOW(3) WHERE user_id = ? AND redacted_at IS NULL`,
  `UPDATE mails SET status = 'skipped', changed_at = NOW(3) WHERE user_id = ? AND status IN ('pending', 'sending')`,
  // After the emails, in the same lock order as the storage of provider events.
  'DELETE FROM suppressions WHERE user_id = ?',
] as const;

/** Deletes all webhook messages about a user, and the content of the user's emails. */
export const eraseUser = async (tx: Tx, userId: string): Promise<void> => {
  for (const sql of STATEMENTS) await change(tx, { sql, values: [userId] });
};
