import { affectedRows, type Tx } from '@shortlist/kit/data/db';

/** Where a plan ends, as far as the directory must know. */
export type PlanCopy = { version: number; premiumUntil: Date | null };

/** Keeps the newer copy. Answers whether there is a profile to keep it on. */
export const updatePlanCopy = async (
  tx: Tx,
  userId: string,
  { version, premiumUntil }: PlanCopy,
): Promise<boolean> => {
  const result: unknown = await tx.query(
    `UPDATE profiles SET premium_until = IF(plan_version < ?, ?, premium_until), plan_version = GREATEST(plan_version, ?)
     WHERE user_id = ?`,
    [version, premiumUntil, version, userId],
  );
  return affectedRows(result) === 1;
};

export const keepEarlyPlan = async (
  tx: Tx,
  userId: string,
  { version, premiumUntil }: PlanCopy,
): Promise<void> => {
  await tx.query(
    `INSERT INTO early_plans (user_id, plan_version, premium_until) VALUES (?, ?, ?)
     ON DUPLICATE KEY UPDATE premium_until = IF(plan_version < VALUES(plan_version), VALUES(premium_until), premium_until),
       plan_version = GREATEST(plan_version, VALUES(plan_version))`,
    [userId, version, premiumUntil],
  );
};

export const adoptEarlyPlan = async (tx: Tx, userId: string): Promise<void> => {
  await tx.query(
    `UPDATE profiles p JOIN early_plans e ON e.user_id = p.user_id
     SET p.plan_version = e.plan_version, p.premium_until = e.premium_until
     WHERE p.user_id = ? AND p.plan_version < e.plan_version`,
    [userId],
  );
  await deleteEarlyPlan(tx, userId);
};

export const deleteEarlyPlan = async (tx: Tx, userId: string): Promise<void> => {
  await tx.query('DELETE FROM early_plans WHERE user_id = ?', [userId]);
};
