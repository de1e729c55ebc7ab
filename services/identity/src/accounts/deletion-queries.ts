import type { KeptFor } from '@shortlist/contracts/api/email';
import type { DeletionView } from '@shortlist/contracts/api/privacy';
import * as column from '@shortlist/kit/data/columns';
import type { Tx } from '@shortlist/kit/data/db';
import { defineEntity, type RowOf } from '@shortlist/kit/data/entity';
import { insertRows } from '@shortlist/kit/data/insert';
import { IsNull, LessThanOrEqual, MoreThan } from 'typeorm';
import { accountEntity, type AccountRow } from './queries.ts';
import { dueTimes } from './unconfirmed.rules.ts';

/** A deletion of an account, requested by its user. */
export const deletionEntity = defineEntity('deletion', 'deletions', {
  id: { ...column.uuid, primary: true },
  accountId: column.uuid,
  requestedAt: column.dateTime,
  dueAt: column.dateTime,
  /** When the reminder was caused; null until then. */
  remindedAt: column.nullable(column.dateTime),
});
export type DeletionRow = RowOf<typeof deletionEntity>;

export const findDeletion = (tx: Tx, accountId: string): Promise<DeletionRow | null> =>
  tx.getRepository(deletionEntity).findOneBy({ accountId });

/** The deletion with this id if it is due, locked, so that a concurrent request to keep the account waits. */
export const lockDueDeletion = (tx: Tx, id: string, now: Date): Promise<DeletionRow | null> =>
  tx.getRepository(deletionEntity).findOne({
    where: { id, dueAt: LessThanOrEqual(now) },
    lock: { mode: 'pessimistic_write' },
  });

export const insertDeletion = (tx: Tx, deletion: DeletionRow): Promise<void> =>
  insertRows(tx, deletionEntity, deletion);

/** Removes a deletion that is not due yet. Returns whether there was one. */
export const removeDeletion = async (tx: Tx, accountId: string, now: Date): Promise<boolean> => {
  const { affected } = await tx.getRepository(deletionEntity).delete({ accountId, dueAt: MoreThan(now) });
  return affected === 1;
};

export const listDueDeletions = (tx: Tx, now: Date, limit: number): Promise<DeletionRow[]> =>
  tx
    .getRepository(deletionEntity)
    .find({ where: { dueAt: LessThanOrEqual(now) }, order: { dueAt: 'ASC' }, take: limit });

/** Deletions due by `before` whose users have not been reminded. */
export const listUnremindedDeletions = (tx: Tx, before: Date, limit: number): Promise<DeletionRow[]> =>
  tx.getRepository(deletionEntity).find({
    where: { remindedAt: IsNull(), dueAt: LessThanOrEqual(before) },
    order: { dueAt: 'ASC' },
    take: limit,
  });

/** Returns false if the reminder has already been caused or the account is kept. */
export const markDeletionReminded = async (tx: Tx, id: string, at: Date): Promise<boolean> => {
  const { affected } = await tx
    .getRepository(deletionEntity)
    .update({ id, remindedAt: IsNull() }, { remindedAt: at });
  return affected === 1;
};

export const presentDeletion = ({ requestedAt, dueAt }: DeletionRow): DeletionView => ({
  requestedAt: requestedAt.toISOString(),
  dueAt: dueAt.toISOString(),
});

const UNCONFIRMED = { role: 'user', emailVerifiedAt: IsNull(), keptFor: IsNull() } as const;

const toRemind = (now: Date) => ({
  ...UNCONFIRMED,
  createdAt: LessThanOrEqual(dueTimes(now).createdForReminder),
  remindedAt: IsNull(),
});

const toGiveUp = (now: Date) => ({
  ...UNCONFIRMED,
  createdAt: LessThanOrEqual(dueTimes(now).createdForEnd),
  remindedAt: LessThanOrEqual(dueTimes(now).remindedForEnd),
});

/** The accounts whose users are due for a reminder, and those due for deletion, oldest first. */
export const listUnconfirmed = (tx: Tx, now: Date, limit: number): Promise<AccountRow[]> =>
  tx.getRepository(accountEntity).find({
    where: [toRemind(now), toGiveUp(now)],
    order: { createdAt: 'ASC' },
    take: limit,
  });

/** Returns false if the email has been confirmed or the reminder caused in the meantime. */
export const markConfirmationReminded = async (tx: Tx, id: string, now: Date): Promise<boolean> => {
  const { affected } = await tx
    .getRepository(accountEntity)
    .update({ id, ...toRemind(now) }, { remindedAt: now });
  return affected === 1;
};

/** The account if it is due for deletion, locked, so that a concurrent confirmation comes before or after. */
export const lockGivenUp = (tx: Tx, id: string, now: Date): Promise<AccountRow | null> =>
  tx
    .getRepository(accountEntity)
    .findOne({ where: { id, ...toGiveUp(now) }, lock: { mode: 'pessimistic_write' } });

/** A plan takes precedence over spent credits. Does nothing if the email is confirmed. */
export const markKept = async (tx: Tx, id: string, keptFor: KeptFor): Promise<void> => {
  const change = keptFor === 'plan' ? {} : { keptFor: IsNull() };
  await tx.getRepository(accountEntity).update({ id, emailVerifiedAt: IsNull(), ...change }, { keptFor });
};
