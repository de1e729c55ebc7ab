// The same contact is paid for once in thirty days, for each reason: who asks again gets it without a charge. A hold has not paid
// until it is committed, since its credit may still come back: who asks meanwhile is charged too, and whichever hold is committed
// after that gets its credit back.
import { FREE_WINDOW_DAYS } from '@shortlist/contracts/limits';
import type { Tx } from '@shortlist/kit/data/db';

const CONTACT_MS = FREE_WINDOW_DAYS * 86_400_000;

type Claim = { userId: string; reason: string; reference: string; operationId: string };
type Claimer = { operationId: string; hasPaid: number };

const KEY = 'user_id = ? AND reason = ? AND reference = ?';

/** The claim's operation, and whether it has paid for good: a plain spend has, a hold once it is committed. */
const getClaimer = async (tx: Tx, { userId, reason, reference }: Claim): Promise<Claimer> => {
  const [claimer]: [Claimer] = await tx.query(
    `SELECT c.operation_id AS operationId, r.id IS NULL OR r.state = 'committed' AS hasPaid FROM contacts c
     LEFT JOIN reservations r ON r.user_id = c.user_id AND r.operation_id = c.operation_id
     WHERE c.user_id = ? AND c.reason = ? AND c.reference = ?`,
    [userId, reason, reference],
  );
  return claimer;
};

/**
 * Marks a contact as charged for by this operation. Answers false when another has paid for it less than thirty days ago. A second
 * charge at the same moment waits at the key until the first is committed or undone: ON DUPLICATE KEY takes the row's exclusive
 * lock at once, where INSERT IGNORE would take a shared one and make those who wait deadlock. Holds are committed under the same
 * lock, so what is read of them beside it is still true when it is acted on.
 */
export const claimContact = async (tx: Tx, claim: Claim & { at: Date }): Promise<boolean> => {
  const { userId, reason, reference, operationId, at } = claim;
  const before = new Date(at.getTime() - CONTACT_MS);
  await tx.query(
    `INSERT INTO contacts (user_id, reason, reference, operation_id, charged_at) VALUES (?, ?, ?, ?, ?)
     ON DUPLICATE KEY UPDATE operation_id = IF(charged_at <= ?, VALUES(operation_id), operation_id),
       charged_at = IF(charged_at <= ?, VALUES(charged_at), charged_at)`,
    [userId, reason, reference, operationId, at, before, before],
  );
  const claimer = await getClaimer(tx, claim);
  if (claimer.operationId === operationId) return true;
  if (claimer.hasPaid) return false;
  await tx.query(`UPDATE contacts SET operation_id = ?, charged_at = ? WHERE ${KEY}`, [
    ...[operationId, at],
    ...[userId, reason, reference],
  ]);
  return true;
};

/** What was given back is not paid for: the next time, it is charged for again. A claim that another has taken over is left alone. */
export const releaseContact = async (
  tx: Tx,
  { userId, reason, reference, operationId }: Claim,
): Promise<void> => {
  await tx.query(`DELETE FROM contacts WHERE ${KEY} AND operation_id = ?`, [
    ...[userId, reason, reference],
    operationId,
  ]);
};

export const deleteContactsOf = async (tx: Tx, userId: string): Promise<void> => {
  await tx.query('DELETE FROM contacts WHERE user_id = ?', [userId]);
};
