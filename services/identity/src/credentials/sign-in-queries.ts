import type { SignInMethod, SignInOrigin, SignInView } from '@shortlist/contracts/api/sessions';
import { SIGN_IN_DAYS, SIGN_INS_OF_ACCOUNT_MAX } from '@shortlist/contracts/limits';
import * as column from '@shortlist/kit/data/columns';
import type { Tx } from '@shortlist/kit/data/db';
import { defineEntity, type RowOf } from '@shortlist/kit/data/entity';
import { insertRows } from '@shortlist/kit/data/insert';
import type { PruneRule } from '@shortlist/kit/messaging/pruning';
import { In, LessThanOrEqual, MoreThan, Not } from 'typeorm';

export const signInEntity = defineEntity('sign_in', 'sign_ins', {
  id: { ...column.uuid, primary: true },
  accountId: column.uuid,
  at: column.dateTime,
  outcome: column.enumOf(['succeeded', 'failed']),
  method: column.varchar<SignInMethod | 'support'>(20),
  attempts: column.int,
  browser: column.varchar(40),
  system: { ...column.varchar(40), name: 'operating_system' },
  network: column.varchar(50),
  place: column.varchar(100),
  sessionId: column.nullable(column.uuid),
  isNewDevice: column.boolean,
  /** When the user was warned of these failures by email. A warning of wrong passwords also makes unknown devices wait. */
  warnedAt: column.nullable(column.dateTime),
  /** The previous release stores `warnedAt` only here. Until the next release drops the column, both are written and either counts. */
  lockedAt: column.nullable(column.dateTime),
});
type StoredRow = RowOf<typeof signInEntity>;
type SignInRow = Omit<StoredRow, 'lockedAt'>;

export const EXPIRED_SIGN_INS: PruneRule = {
  days: SIGN_IN_DAYS,
  remove: 'DELETE FROM sign_ins WHERE at < ? ORDER BY at LIMIT ?',
};

export const listSignIns = (tx: Tx, accountId: string): Promise<StoredRow[]> =>
  tx
    .getRepository(signInEntity)
    .find({ where: { accountId }, order: { id: 'DESC' }, take: SIGN_INS_OF_ACCOUNT_MAX });

/** The newest entry of an account. */
export const findLatest = (tx: Tx, accountId: string): Promise<SignInRow | null> =>
  tx.getRepository(signInEntity).findOne({ where: { accountId }, order: { id: 'DESC' } });

export const hasSucceeded = (tx: Tx, accountId: string, origin: Partial<SignInOrigin>): Promise<boolean> =>
  // A view by support is not from the user's device.
  tx
    .getRepository(signInEntity)
    .existsBy({ accountId, outcome: 'succeeded', method: Not('support'), ...origin });

/** Whether the user was warned of failures with one of these methods. */
export const wasWarnedSince = (
  tx: Tx,
  { accountId, methods }: { accountId: string; methods: readonly SignInMethod[] },
  time: Date,
): Promise<boolean> =>
  tx.getRepository(signInEntity).existsBy(
    (['warnedAt', 'lockedAt'] as const).map((column) => ({
      accountId,
      method: In([...methods]),
      [column]: MoreThan(time),
    })),
  );

export const insertSignIn = (tx: Tx, row: SignInRow): Promise<void> => insertRows(tx, signInEntity, row);

export const updateSignIn = async (
  tx: Tx,
  id: string,
  change: Partial<Omit<SignInRow, 'id' | 'warnedAt'>>,
): Promise<void> => {
  await tx.getRepository(signInEntity).update({ id }, change);
};

export const markWarned = async (tx: Tx, id: string, at: Date): Promise<void> => {
  await tx.getRepository(signInEntity).update({ id }, { warnedAt: at, lockedAt: at });
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

export const presentSignIn = ({
  accountId: _accountId,
  sessionId: _sessionId,
  network: _network,
  at,
  warnedAt,
  lockedAt,
  ...row
}: StoredRow): SignInView => ({
  ...row,
  at: at.toISOString(),
  isLocked: (warnedAt ?? lockedAt) !== null && row.method === 'password',
});

/** The time of each account's latest log-in, if any. An admin's view of an account is none. */
export const listLastLogIns = async (tx: Tx, ids: readonly string[]): Promise<Map<string, Date>> => {
  const rows = await tx
    .createQueryBuilder(signInEntity, 'sign_in')
    .select('sign_in.accountId', 'accountId')
    .addSelect('MAX(sign_in.at)', 'at')
    .where({ accountId: In(ids), outcome: 'succeeded', method: Not('support') })
    .groupBy('sign_in.accountId')
    .getRawMany<{ accountId: string; at: Date | string }>();
  return new Map(rows.map(({ accountId, at }) => [accountId, new Date(at)]));
};
