import { type DataExportView, EXPORT_STATES } from '@shortlist/contracts/api/privacy';
import { EXPORT_DAYS } from '@shortlist/contracts/limits';
import * as column from '@shortlist/kit/data/columns';
import type { Tx } from '@shortlist/kit/data/db';
import { defineEntity, type RowOf } from '@shortlist/kit/data/entity';
import { insertRows, upsert } from '@shortlist/kit/data/insert';
import type { PruneRule } from '@shortlist/kit/messaging/pruning';
import { In, LessThan, MoreThan, Not } from 'typeorm';

/** A piece of a file, which expires a week after it was written. */
export const chunkEntity = defineEntity('data_export_chunk', 'data_export_chunks', {
  exportId: { ...column.uuid, primary: true },
  attempt: { ...column.unsigned, primary: true },
  position: { ...column.unsigned, primary: true },
  content: column.blob,
  expiresAt: column.dateTime,
});
type ChunkRow = RowOf<typeof chunkEntity>;

/** A file with a user's data. `attempt` is the run that writes it; `bytes` and `expiresAt` are set once it is ready. */
export const dataExportEntity = defineEntity('data_export', 'data_exports', {
  id: { ...column.uuid, primary: true },
  accountId: column.uuid,
  state: column.enumOf([...EXPORT_STATES, 'removed']),
  attempt: { ...column.unsigned, default: 0 },
  done: { ...column.unsigned, default: 0 },
  bytes: column.nullable(column.bigint),
  requestedAt: column.dateTime,
  changedAt: column.dateTime,
  expiresAt: column.nullable(column.dateTime),
});
export type DataExportRow = RowOf<typeof dataExportEntity>;

/** Deletes expired files, and later the record of them. */
export const EXPIRED_EXPORTS: readonly PruneRule[] = [
  { days: 0, remove: 'DELETE FROM data_export_chunks WHERE expires_at < ? ORDER BY expires_at LIMIT ?' },
  {
    days: EXPORT_DAYS * 4,
    remove: 'DELETE FROM data_exports WHERE requested_at < ? ORDER BY requested_at LIMIT ?',
  },
];

const IN_PROGRESS = ['waiting', 'running'] as const;

/** The latest export of an account that the user has not removed. */
export const findLatest = (tx: Tx, accountId: string): Promise<DataExportRow | null> =>
  tx
    .getRepository(dataExportEntity)
    .findOne({ where: { accountId, state: Not('removed') }, order: { id: 'DESC' } });

export const hasExportInProgress = (tx: Tx, accountId: string): Promise<boolean> =>
  tx.getRepository(dataExportEntity).existsBy({ accountId, state: In(IN_PROGRESS) });

/** The requests of an account after `time`, oldest first, including those whose files were removed. */
export const listRequestTimes = async (tx: Tx, accountId: string, time: Date): Promise<Date[]> => {
  const rows = await tx.getRepository(dataExportEntity).find({
    select: { id: true, requestedAt: true },
    where: { accountId, requestedAt: MoreThan(time) },
    order: { requestedAt: 'ASC' },
  });
  return rows.map(({ requestedAt }) => requestedAt);
};

export const insertExport = (tx: Tx, row: DataExportRow): Promise<void> =>
  insertRows(tx, dataExportEntity, row);

/** The state of an export, locked. */
export const lockExport = (tx: Tx, id: string): Promise<DataExportRow | null> =>
  tx.getRepository(dataExportEntity).findOne({ where: { id }, lock: { mode: 'pessimistic_write' } });

export const updateExport = async (
  tx: Tx,
  id: string,
  change: Partial<Omit<DataExportRow, 'id'>>,
): Promise<void> => {
  await tx.getRepository(dataExportEntity).update({ id }, change);
};

/** Exports that wait for a run, or whose run has made no progress since `before`. */
export const listWaiting = async (tx: Tx, before: Date, limit: number): Promise<string[]> => {
  const rows = await tx.getRepository(dataExportEntity).find({
    select: { id: true },
    where: [{ state: 'waiting' }, { state: 'running', changedAt: LessThan(before) }],
    order: { id: 'ASC' },
    take: limit,
  });
  return rows.map(({ id }) => id);
};

/** Marks every other export of the account as removed and returns their ids. */
export const removeOthers = async (tx: Tx, accountId: string, exceptId: string | null): Promise<string[]> => {
  const repository = tx.getRepository(dataExportEntity);
  const others = await repository.find({
    select: { id: true },
    where: { accountId, state: Not('removed'), ...(exceptId === null ? {} : { id: Not(exceptId) }) },
  });
  const ids = others.map(({ id }) => id);
  if (ids.length > 0) await repository.update({ id: In(ids) }, { state: 'removed' });
  return ids;
};

/** Storing a piece again replaces it. */
export const storeChunk = async (tx: Tx, chunk: ChunkRow): Promise<void> => {
  await upsert(tx, chunkEntity, { rows: [chunk], update: ['content', 'expiresAt'] });
};

export const findChunk = (
  tx: Tx,
  key: Pick<ChunkRow, 'exportId' | 'attempt' | 'position'>,
): Promise<ChunkRow | null> => tx.getRepository(chunkEntity).findOneBy(key);

/** Deletes the pieces of exports, except those of one run. */
export const deleteChunks = async (
  tx: Tx,
  exportIds: string[],
  except: { attempt: number } | null = null,
): Promise<void> => {
  if (exportIds.length === 0) return;
  await tx.getRepository(chunkEntity).delete({
    exportId: In(exportIds),
    ...(except === null ? {} : { attempt: Not(except.attempt) }),
  });
};

export const isExpired = ({ expiresAt }: Pick<DataExportRow, 'expiresAt'>, now: Date): boolean =>
  expiresAt !== null && expiresAt <= now;

export const presentExport = (row: DataExportRow, now: Date): DataExportView => {
  const { id, state, done, requestedAt, bytes, expiresAt } = row;
  return {
    id,
    done,
    bytes,
    requestedAt: requestedAt.toISOString(),
    state: state === 'removed' || (state === 'ready' && isExpired(row, now)) ? 'expired' : state,
    expiresAt: expiresAt?.toISOString() ?? null,
  };
};
