import { affectedRows, type Tx } from '@shortlist/kit/data/db';
import type { Holding } from '../subscriptions/queries.ts';

export type Intent = { id: string; sessionId: string | null; createdAt: Date };

export const findOpenIntent = async (tx: Tx, userId: string): Promise<Intent | null> => {
  const rows: Intent[] = await tx.query(
    `SELECT id, session_id AS sessionId, created_at AS createdAt FROM checkout_intents
     WHERE user_id = ? AND state = 'open' ORDER BY created_at DESC LIMIT 1`,
    [userId],
  );
  return rows[0] ?? null;
};

/** Answers false, and writes nothing, when the person's lease has passed to another. */
export const insertIntent = async (
  tx: Tx,
  intent: Holding & { id: string; createdAt: Date },
): Promise<boolean> => {
  const result: unknown = await tx.query(
    `INSERT INTO checkout_intents (id, user_id, state, created_at)
     SELECT ?, user_id, 'open', ? FROM subscribers WHERE user_id = ? AND lease_owner = ?`,
    [intent.id, intent.createdAt, intent.userId, intent.holder],
  );
  return affectedRows(result) === 1;
};

export const setIntentSession = async (tx: Tx, id: string, sessionId: string): Promise<void> => {
  await tx.query('UPDATE checkout_intents SET session_id = ? WHERE id = ?', [sessionId, id]);
};

export const closeIntent = async (tx: Tx, id: string): Promise<void> => {
  await tx.query("UPDATE checkout_intents SET state = 'closed' WHERE id = ?", [id]);
};
