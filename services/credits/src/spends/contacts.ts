// The same contact is paid for once in thirty days, for each reason: who asks again gets it without a charge.
import { FREE_WINDOW_DAYS } from '@shortlist/contracts/limits';
import type { Tx } from '@shortlist/kit/db';

const CONTACT_MS = FREE_WINDOW_DAYS * 86_400_000;

type Contact = { userId: string; reason: string; reference: string; operationId: string; at: Date };

/**
 * Marks a contact as charged for by this operation. Answers false when it was charged for less than thirty days ago. A second
 * charge at the same moment waits at the key until the first is committed or undone: ON DUPLICATE KEY takes the row's exclusive
 * lock at once, where INSERT IGNORE would take a shared one and make those who wait deadlock.
 */
export const claimContact = async (
  tx: Tx,
  { userId, reason, reference, operationId, at }: Contact,
): Promise<boolean> => {
  const before = new Date(at.getTime() - CONTACT_MS);
  await tx.query(
    `INSERT INTO contacts (user_id, reason, reference, operation_id, charged_at) VALUES (?, ?, ?, ?, ?)
     ON DUPLICATE KEY UPDATE operation_id = IF(charged_at <= ?, VALUES(operation_id), operation_id),
       charged_at = IF(charged_at <= ?, VALUES(charged_at), charged_at)`,
    [userId, reason, reference, operationId, at, before, before],
  );
  const rows: { operation_id: string }[] = await tx.query(
    'SELECT operation_id FROM contacts WHERE user_id = ? AND reason = ? AND reference = ?',
    [userId, reason, reference],
  );
  return rows[0]?.operation_id === operationId;
};

/** What was given back is not paid for: the next time, it is charged for again. */
export const releaseContact = async (tx: Tx, userId: string, operationId: string): Promise<void> => {
  await tx.query('DELETE FROM contacts WHERE user_id = ? AND operation_id = ?', [userId, operationId]);
};

export const deleteContactsOf = async (tx: Tx, userId: string): Promise<void> => {
  await tx.query('DELETE FROM contacts WHERE user_id = ?', [userId]);
};
