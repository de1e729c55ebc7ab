import type { Tx } from '@shortlist/kit/data/db';
import { change } from '@shortlist/kit/data/sql';
import { earlyPlanEntity, type EarlyPlanRow } from './early-plan.entity.ts';

/** Stores the copy unless a newer one is stored. */
export const upsertOlderEarlyPlan = async (
  tx: Tx,
  { userId, planVersion, premiumUntil }: EarlyPlanRow,
): Promise<void> => {
  // By hand: the builder lacks conditions in ON DUPLICATE KEY UPDATE.
  await change(tx, {
    sql: `INSERT INTO early_plans (user_id, plan_version, premium_until) VALUES (?, ?, ?)
      ON DUPLICATE KEY UPDATE premium_until = IF(plan_version < VALUES(plan_version), VALUES(premium_until), premium_until),
        plan_version = GREATEST(plan_version, VALUES(plan_version))`,
    values: [userId, planVersion, premiumUntil],
  });
};

/** The early plan, locked: a concurrent transaction that stores one commits before it is read. */
export const lockEarlyPlan = (tx: Tx, userId: string): Promise<EarlyPlanRow | null> =>
  tx.getRepository(earlyPlanEntity).findOne({ where: { userId }, lock: { mode: 'pessimistic_write' } });

export const deleteEarlyPlan = async (tx: Tx, userId: string): Promise<void> => {
  await tx.getRepository(earlyPlanEntity).delete({ userId });
};
