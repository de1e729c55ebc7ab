import type { Tx } from '@shortlist/kit/data/db';
import { change } from '@shortlist/kit/data/sql';

const STATEMENTS = [
  'DELETE FROM webhook_deliveries WHERE user_id = ?',
  'DELETE FROM webhook_messages WHERE user_id = ?',
  // The rows of mails stay as a record, without what they say; those that are not sent yet are skipped.
  `UPDATE mails SET data = '{}', last_error = NULL, redacted_at = NOW(3) WHERE user_id = ? AND redacted_at IS NULL`,
  `UPDATE mails SET status = 'skipped', changed_at = NOW(3) WHERE user_id = ? AND status IN ('pending', 'sending')`,
  // After the mails, whose rows an event of the mail provider locks before it stores an address.
  'DELETE FROM suppressions WHERE user_id = ?',
] as const;

/** Deletes the messages sent and to be sent about a user, and what the mails to the user say. */
export const eraseUser = async (tx: Tx, userId: string): Promise<void> => {
  for (const sql of STATEMENTS) await change(tx, { sql, values: [userId] });
};
