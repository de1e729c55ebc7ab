import { NO_PLAN, type PlanState } from '@shortlist/contracts/plan';
import { affectedRows, type Tx } from '@shortlist/kit/data/db';

/** The newest plan state that we hold; `NO_PLAN` for somebody we have not heard of. */
export const findPlanState = async (tx: Tx, userId: string): Promise<PlanState> => {
  const rows: { plan_state: string }[] = await tx.query('SELECT plan_state FROM accounts WHERE user_id = ?', [
    userId,
  ]);
  return rows[0] ? (JSON.parse(rows[0].plan_state) as PlanState) : NO_PLAN;
};

/**
 * Locks a person's row until commit, and makes it for somebody of whom we have not heard. Plan changes of one person, and the
 * deletion of the person, come one after the other under it.
 */
export const lockAccount = async (tx: Tx, userId: string): Promise<void> => {
  await tx.query(
    `INSERT INTO accounts (user_id, plan_version, plan_state) VALUES (?, 0, ?)
     ON DUPLICATE KEY UPDATE plan_version = plan_version`,
    [userId, JSON.stringify(NO_PLAN)],
  );
};

/** Keeps the state if it is newer than the one held. Answers whether it was. */
export const keepNewerPlanState = async (tx: Tx, userId: string, state: PlanState): Promise<boolean> => {
  const result: unknown = await tx.query(
    'UPDATE accounts SET plan_version = ?, plan_state = ? WHERE user_id = ? AND plan_version < ?',
    [state.version, JSON.stringify(state), userId, state.version],
  );
  return affectedRows(result) === 1;
};

export const deleteAccount = async (tx: Tx, userId: string): Promise<void> => {
  await tx.query('DELETE FROM accounts WHERE user_id = ?', [userId]);
};

export const isDeleted = async (tx: Tx, userId: string): Promise<boolean> => {
  const rows: unknown[] = await tx.query('SELECT 1 FROM deleted_users WHERE user_id = ?', [userId]);
  return rows.length > 0;
};

export const rememberDeleted = async (tx: Tx, userId: string, at: Date): Promise<void> => {
  await tx.query('INSERT IGNORE INTO deleted_users (user_id, deleted_at) VALUES (?, ?)', [userId, at]);
};
