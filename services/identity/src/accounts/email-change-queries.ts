import { EMAIL_UNDO_DAYS } from '@shortlist/contracts/limits';
import * as column from '@shortlist/kit/data/columns';
import type { Tx } from '@shortlist/kit/data/db';
import { defineEntity, type RowOf } from '@shortlist/kit/data/entity';
import { insertRows } from '@shortlist/kit/data/insert';
import type { PruneRule } from '@shortlist/kit/messaging/pruning';
import { IsNull, MoreThan, MoreThanOrEqual, Not } from 'typeorm';

export const emailChangeEntity = defineEntity('email_change', 'email_changes', {
  id: { ...column.uuid, primary: true },
  accountId: column.uuid,
  oldEmail: column.varchar(254),
  newEmail: column.varchar(254),
  requestedAt: column.dateTime,
  /** The time of the first request that the same address can undo, by the shared clock. An undo removes factors that were added since. */
  firstRequestedAt: column.dateTime,
  /** The deadline for confirming the new address. */
  expiresAt: column.dateTime,
  confirmedAt: column.nullable(column.dateTime),
  /**
   * Until then, the old address is reserved and can undo the change, confirmed or not; no session of the account can end this. Null if it never
   * could, and after an undo.
   */
  undoUntil: column.nullable(column.dateTime),
  /** `ownedSince` of the account before the change. */
  ownedBefore: column.nullable(column.dateTime),
  /** When the request was canceled, replaced or ended by a new password, or the change was undone. */
  endedAt: column.nullable(column.dateTime),
});
export type EmailChangeRow = RowOf<typeof emailChangeEntity>;

/** A change is confirmed within a day of its request, and undone within EMAIL_UNDO_DAYS of either. */
export const EXPIRED_EMAIL_CHANGES: PruneRule = {
  days: EMAIL_UNDO_DAYS + 2,
  remove: 'DELETE FROM email_changes WHERE requested_at < ? ORDER BY requested_at LIMIT ?',
};

const write = { mode: 'pessimistic_write' } as const;

const open = (now: Date) => ({ confirmedAt: IsNull(), endedAt: IsNull(), expiresAt: MoreThan(now) });

/** The accounts that have had an email before another, the newest change first. */
export const listFormerOwners = async (tx: Tx, oldEmail: string): Promise<string[]> => {
  const changes = await tx.getRepository(emailChangeEntity).find({
    select: { id: true, accountId: true },
    where: { oldEmail, confirmedAt: Not(IsNull()) },
    order: { requestedAt: 'DESC' },
    take: 5,
  });
  return changes.map(({ accountId }) => accountId);
};

export const insertChange = (tx: Tx, change: EmailChangeRow): Promise<void> =>
  insertRows(tx, emailChangeEntity, change);

/** The request that is neither confirmed nor canceled; an account has at most one. */
export const findOpenChange = (tx: Tx, accountId: string, now: Date): Promise<EmailChangeRow | null> =>
  tx.getRepository(emailChangeEntity).findOneBy({ accountId, ...open(now) });

/** The stored changes of an account, oldest first. */
export const listChanges = (tx: Tx, accountId: string): Promise<EmailChangeRow[]> =>
  tx.getRepository(emailChangeEntity).find({ where: { accountId }, order: { requestedAt: 'ASC' } });

/** Locks a change that can be confirmed, so that a request that replaces it comes before or after. */
export const lockOpenChange = (
  tx: Tx,
  { id, accountId }: Pick<EmailChangeRow, 'id' | 'accountId'>,
  now: Date,
): Promise<EmailChangeRow | null> =>
  tx.getRepository(emailChangeEntity).findOne({ where: { id, accountId, ...open(now) }, lock: write });

/** Requests that the old address can still stop. Earlier releases stored no time for this, so it ends with the request. */
const stoppable = (now: Date) => [open(now), { confirmedAt: IsNull(), undoUntil: MoreThan(now) }];

/** The account's newest request that its current address can stop. */
export const findStoppableChange = (
  tx: Tx,
  { id: accountId, email: oldEmail }: { id: string; email: string },
  now: Date,
): Promise<EmailChangeRow | null> =>
  tx.getRepository(emailChangeEntity).findOne({
    where: stoppable(now).map((state) => ({ accountId, oldEmail, ...state })),
    order: { requestedAt: 'DESC' },
  });

/** Locks a change that the old address can undo, confirmed or not. */
export const lockUndoableChange = (
  tx: Tx,
  { id, accountId }: Pick<EmailChangeRow, 'id' | 'accountId'>,
  now: Date,
): Promise<EmailChangeRow | null> =>
  tx.getRepository(emailChangeEntity).findOne({
    where: [...stoppable(now), { endedAt: IsNull(), undoUntil: MoreThan(now) }].map((state) => ({
      id,
      accountId,
      ...state,
    })),
    lock: write,
  });

export const endOpenChanges = async (tx: Tx, accountId: string, now: Date): Promise<void> => {
  await tx.getRepository(emailChangeEntity).update({ accountId, ...open(now) }, { endedAt: now });
};

/** Ends a change permanently, with the requests that the same address can undo and everything after it. */
export const endChangesFrom = async (
  tx: Tx,
  { accountId, firstRequestedAt }: Pick<EmailChangeRow, 'accountId' | 'firstRequestedAt'>,
  now: Date,
): Promise<void> => {
  const changes = { accountId, firstRequestedAt: MoreThanOrEqual(firstRequestedAt) };
  const columns = { endedAt: () => 'COALESCE(ended_at, :now)', undoUntil: null };
  await tx
    .getRepository(emailChangeEntity)
    .createQueryBuilder()
    .update()
    .set(columns)
    .where(changes)
    .setParameters({ now })
    .execute();
};

export const confirmChange = async (
  tx: Tx,
  id: string,
  columns: Pick<EmailChangeRow, 'oldEmail' | 'confirmedAt' | 'undoUntil' | 'ownedBefore'>,
): Promise<void> => {
  await tx.getRepository(emailChangeEntity).update({ id }, columns);
};

type Taker = { email: string; accountId: string };

const reserving = ({ email, accountId }: Taker, now: Date) => ({
  oldEmail: email,
  accountId: Not(accountId),
  endedAt: IsNull(),
  undoUntil: MoreThan(now),
});

/**
 * Whether an address can still undo a change of an account other than `accountId`. Until then no other account may take it, because that
 * account may get it back.
 */
export const isReserved = (tx: Tx, taker: Taker, now: Date): Promise<boolean> =>
  tx.getRepository(emailChangeEntity).existsBy(reserving(taker, now));

/** The same in a transaction: waits for a change that is being confirmed, and blocks further confirmations. */
export const lockReservation = async (tx: Tx, taker: Taker, now: Date): Promise<boolean> => {
  const where = reserving(taker, now);
  return (
    (await tx.getRepository(emailChangeEntity).findOne({ select: { id: true }, where, lock: write })) !== null
  );
};
