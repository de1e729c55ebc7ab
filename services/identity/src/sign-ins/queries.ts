import { SIGN_IN_DAYS, SIGN_INS_OF_ACCOUNT_MAX } from '@shortlist/contracts/limits';
import type { SignInMethod, SignInOrigin } from '@shortlist/contracts/api/sign-ins';
import type { Tx } from '@shortlist/kit/data/db';
import type { PruneRule } from '@shortlist/kit/messaging/pruning';
import { In, LessThanOrEqual, MoreThan, Not } from 'typeorm';
import { signInEntity, type SignInRow } from './sign-in.entity.ts';

export const EXPIRED_SIGN_INS: PruneRule = {
  days: SIGN_IN_DAYS,
  remove: 'DELETE FROM sign_ins WHERE at < ? ORDER BY at LIMIT ?',
};

export const listSignIns = (tx: Tx, accountId: string): Promise<SignInRow[]> =>
  tx
    .getRepository(signInEntity)
    .find({ where: { accountId }, order: { id: 'DESC' }, take: SIGN_INS_OF_ACCOUNT_MAX });

/** The newest entry of an account. */
export const findLatest = (tx: Tx, accountId: string): Promise<SignInRow | null> =>
  tx.getRepository(signInEntity).findOne({ where: { accountId }, order: { id: 'DESC' } });

export const hasSucceeded = (tx: Tx, accountId: string, origin: Partial<SignInOrigin>): Promise<boolean> =>
  // A view by support is no device of the user.
  tx
    .getRepository(signInEntity)
    .existsBy({ accountId, outcome: 'succeeded', method: Not('support'), ...origin });

/** Whether the user was warned of failures with one of these methods. */
export const wasWarnedSince = (
  tx: Tx,
  { accountId, methods }: { accountId: string; methods: readonly SignInMethod[] },
  time: Date,
): Promise<boolean> =>
  tx.getRepository(signInEntity).existsBy({ accountId, method: In([...methods]), warnedAt: MoreThan(time) });

export const insertSignIn = async (tx: Tx, row: SignInRow): Promise<void> => {
  await tx.createQueryBuilder().insert().into(signInEntity).values(row).updateEntity(false).execute();
};

export const updateSignIn = async (
  tx: Tx,
  id: string,
  change: Partial<Omit<SignInRow, 'id'>>,
): Promise<void> => {
  await tx.getRepository(signInEntity).update({ id }, change);
};

/** Deletes the entries of an account beyond the newest ones. */
export const deleteBeyondLimit = async (tx: Tx, accountId: string): Promise<void> => {
  const repository = tx.getRepository(signInEntity);
  const [newestBeyond] = await repository.find({
    select: { id: true },
    where: { accountId },
    order: { id: 'DESC' },
    skip: SIGN_INS_OF_ACCOUNT_MAX,
    take: 1,
  });
  if (newestBeyond !== undefined)
    await repository.delete({ accountId, id: LessThanOrEqual(newestBeyond.id) });
};

export const deleteSignIns = async (tx: Tx, accountId: string): Promise<void> => {
  await tx.getRepository(signInEntity).delete({ accountId });
};
