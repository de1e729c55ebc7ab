// The same contact is paid for once in thirty days, for each reason: who asks again gets it without a charge.
import { FREE_WINDOW_DAYS } from '@shortlist/contracts/limits';
import { affectedRows, type Tx } from '@shortlist/kit/db';

const CONTACT_MS = FREE_WINDOW_DAYS * 86_400_000;

type Contact = { userId: string; reason: string; reference: string; operationId: string; at: Date };

/**
 * Marks a contact as charged for by this operation. Answers false when it was charged for less than thirty days ago. A second
 * charge at the same moment waits at the key until the first is committed or undone.
 */
export const claimContact = async (
  tx: Tx,
  { userId, reason, reference, operationId, at }: Contact,
): Promise<boolean> => {
  const inserted: unknown = await tx.query(
    'INSERT IGNORE INTO contacts (user_id, reason, reference, operation_id, charged_at) VALUES (?, ?, ?, ?, ?)',
    [userId, reason, reference, operationId, at],
  );
  if (affectedRows(inserted) === 1) return true;
  const renewed: unknown = await tx.query(
    `UPDATE contacts SET operation_id = ?, charged_at = ?
     WHERE user_id = ? AND reason = ? AND reference = ? AND charged_at <= ?`,
    [operationId, at, userId, reason, reference, new Date(at.getTime() - CONTACT_MS)],
  );
  return affectedRows(renewed) === 1;
};

/** What was given back is not paid for: the next time, it is charged for again. */
export const releaseContact = async (tx: Tx, userId: string, operationId: string): Promise<void> => {
  await tx.query('DELETE FROM contacts WHERE user_id = ? AND operation_id = ?', [userId, operationId]);
};

export const deleteContactsOf = async (tx: Tx, userId: string): Promise<void> => {
  await tx.query('DELETE FROM contacts WHERE user_id = ?', [userId]);
};
