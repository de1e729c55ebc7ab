import type { SignInMethod, SignInOrigin, SignInView } from '@shortlist/contracts/api/sessions';
import { SIGN_IN_DAYS, SIGN_INS_OF_ACCOUNT_MAX } from '@shortlist/contracts/limits';
import type { Tx } from '@shortlist/kit/data/db';
import type { PruneRule } from '@shortlist/kit/messaging/pruning';
import { EntitySchema, In, LessThanOrEqual, MoreThan, Not } from 'typeorm';

type SignInRow = SignInOrigin & {
  id: string;
  accountId: string;
  at: Date;
  outcome: 'succeeded' | 'failed';
  method: SignInMethod | 'support';
  attempts: number;
  sessionId: string | null;
  isNewDevice: boolean;
  /** When the user was warned of these failures by email. A warning of wrong passwords also makes unknown devices wait. */
  warnedAt: Date | null;
};

/** The previous release stores `warnedAt` only in `locked_at`. Until the next release drops that column, both are written and either counts. */
type StoredRow = SignInRow & { lockedAt: Date | null };

export const signInEntity = new EntitySchema<StoredRow>({
  name: 'sign_in',
  tableName: 'sign_ins',
  columns: {
    id: { type: 'char', length: 36, primary: true },
    accountId: { name: 'account_id', type: 'char', length: 36 },
    at: { type: 'datetime', precision: 3 },
    outcome: { type: 'enum', enum: ['succeeded', 'failed'] },
    method: { type: 'varchar', length: 20 },
    attempts: { type: 'int' },
    browser: { type: 'varchar', length: 40 },
    system: { name: 'operating_system', type: 'varchar', length: 40 },
    network: { type: 'varchar', length: 50 },
    place: { type: 'varchar', length: 100 },
    sessionId: { name: 'session_id', type: 'char', length: 36, nullable: true },
    isNewDevice: { name: 'is_new_device', type: 'boolean' },
    warnedAt: { name: 'warned_at', type: 'datetime', precision: 3, nullable: true },
    lockedAt: { name: 'locked_at', type: 'datetime', precision: 3, nullable: true },
  },
});

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

export const insertSignIn = async (tx: Tx, row: SignInRow): Promise<void> => {
  await tx.createQueryBuilder().insert().into(signInEntity).values(row).updateEntity(false).execute();
};

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
  isNewDevice,
  ...row
}: StoredRow): SignInView => ({
  ...row,
  at: at.toISOString(),
  isNewDevice: Boolean(isNewDevice), // the database returns a number
  isLocked: (warnedAt ?? lockedAt) !== null && row.method === 'password',
});
