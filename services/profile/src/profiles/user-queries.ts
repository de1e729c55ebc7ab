// What is stored of users without a profile: of those before their registration, and of deleted ones.
import type { Tx } from '@shortlist/kit/data/db';
import { insertIfAbsent } from '@shortlist/kit/data/insert';
import { change } from '@shortlist/kit/data/sql';
import { EntitySchema } from 'typeorm';

/** A copy of a plan that arrived before the user's registration. */
export type EarlyPlanRow = { userId: string; planVersion: number; premiumUntil: Date | null };

export const earlyPlanEntity = new EntitySchema<EarlyPlanRow>({
  name: 'early_plan',
  tableName: 'early_plans',
  columns: {
    userId: { name: 'user_id', type: 'char', length: 36, primary: true },
    planVersion: { name: 'plan_version', type: 'int', unsigned: true },
    premiumUntil: { name: 'premium_until', type: 'datetime', precision: 3, nullable: true },
  },
});

export type DeletedUserRow = { userId: string; deletedAt: Date };

export const deletedUserEntity = new EntitySchema<DeletedUserRow>({
  name: 'deleted_user',
  tableName: 'deleted_users',
  columns: {
    userId: { name: 'user_id', type: 'char', length: 36, primary: true },
    deletedAt: { name: 'deleted_at', type: 'datetime', precision: 3 },
  },
});

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

export const isDeleted = (tx: Tx, userId: string): Promise<boolean> =>
  tx.getRepository(deletedUserEntity).existsBy({ userId });

export const insertDeletedUserIfAbsent = async (tx: Tx, userId: string, deletedAt: Date): Promise<void> => {
  await insertIfAbsent(tx, deletedUserEntity, { userId, deletedAt });
};
