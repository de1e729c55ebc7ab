import { NO_PLAN, type PlanState } from '@shortlist/contracts/plan';
import type { Tx } from '@shortlist/kit/data/db';
import { insertIfAbsent, insertOrLock } from '@shortlist/kit/data/insert';
import { EntitySchema, LessThan } from 'typeorm';

/** The newest plan state received from billing. */
type AccountRow = { userId: string; planVersion: number; planState: PlanState };

export const parsePlanState = (text: string): PlanState => JSON.parse(text) as PlanState;

export const accountEntity = new EntitySchema<AccountRow>({
  name: 'account',
  tableName: 'accounts',
  columns: {
    userId: { name: 'user_id', type: 'char', length: 36, primary: true },
    planVersion: { name: 'plan_version', type: 'int', unsigned: true },
    planState: {
      name: 'plan_state',
      type: 'text',
      transformer: { from: parsePlanState, to: (state: PlanState) => JSON.stringify(state) },
    },
  },
});

type DeletedUserRow = { userId: string; deletedAt: Date };

export const deletedUserEntity = new EntitySchema<DeletedUserRow>({
  name: 'deleted_user',
  tableName: 'deleted_users',
  columns: {
    userId: { name: 'user_id', type: 'char', length: 36, primary: true },
    deletedAt: { name: 'deleted_at', type: 'datetime', precision: 3 },
  },
});

/** The newest plan state received; `NO_PLAN` when none has been. */
export const findPlanState = async (tx: Tx, userId: string): Promise<PlanState> => {
  const account = await tx.getRepository(accountEntity).findOneBy({ userId });
  return account?.planState ?? NO_PLAN;
};

/**
 * Locks the user's row until commit, and creates it when there is none. It serialises the plan changes of one user with each
 * other and with the deletion of the user.
 */
export const lockAccount = (tx: Tx, userId: string): Promise<void> =>
  insertOrLock(tx, accountEntity, { userId, planVersion: 0, planState: NO_PLAN });

/** Stores the state if it is newer than the stored one. Returns whether it was. */
export const updateOlderPlanState = async (tx: Tx, userId: string, state: PlanState): Promise<boolean> => {
  const result = await tx
    .getRepository(accountEntity)
    .update(
      { userId, planVersion: LessThan(state.version) },
      { planVersion: state.version, planState: state },
    );
  return result.affected === 1;
};

export const deleteAccount = async (tx: Tx, userId: string): Promise<void> => {
  await tx.getRepository(accountEntity).delete({ userId });
};

export const isDeleted = (tx: Tx, userId: string): Promise<boolean> =>
  tx.getRepository(deletedUserEntity).existsBy({ userId });

export const insertDeletedUserIfAbsent = async (tx: Tx, userId: string, deletedAt: Date): Promise<void> => {
  await insertIfAbsent(tx, deletedUserEntity, { userId, deletedAt });
};
