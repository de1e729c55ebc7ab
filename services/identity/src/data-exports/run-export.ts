import type { ExportRun } from '@shortlist/contracts/api/privacy';
import { days, minutes } from '@shortlist/contracts/durations';
import { dataExportProgressed, dataExportReady } from '@shortlist/contracts/events/identity';
import { EXPORT_DAYS, EXPORT_PARTS } from '@shortlist/contracts/limits';
import type { Tx } from '@shortlist/kit/data/db';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import {
  type DataExportRow,
  deleteChunks,
  lockExport,
  removeOthers,
  storeChunk,
  updateExport,
} from './queries.ts';

/** A run shows progress with each piece that it stores and each part that it ends. Without any for so long, it has died. */
export const STALLED_MS = minutes(2);
/** Runs of one file, before it fails. */
const MAX_ATTEMPTS = 5;

/** Locks the export of a run. Throws `identity.export_superseded` when another run has taken over. */
const lockRun = async (tx: Tx, { exportId, attempt }: ExportRun): Promise<DataExportRow> => {
  const row = await lockExport(tx, exportId);
  if (row?.state !== 'running' || row.attempt !== attempt) throw createError('identity.export_superseded');
  return row;
};

const isFree = ({ state, changedAt }: DataExportRow, now: Date): boolean =>
  state === 'waiting' || (state === 'running' && now.getTime() - changedAt.getTime() > STALLED_MS);

const endWithoutFile = async (tx: Tx, row: DataExportRow, clock: Clock): Promise<void> => {
  const { id: exportId, accountId, done } = row;
  await updateExport(tx, exportId, { state: 'failed', changedAt: clock() });
  await emit(tx, dataExportProgressed, { subject: accountId, data: { exportId, done }, clock });
};

/** Begins a run of an export. Returns null when another run works on it, or nothing is left to do. */
export const startExport = async (
  tx: Tx,
  { exportId, clock }: { exportId: string; clock: Clock },
): Promise<{ userId: string; attempt: number } | null> => {
  const row = await lockExport(tx, exportId);
  const now = clock();
  if (row === null || !isFree(row, now)) return null;
  await deleteChunks(tx, [exportId]);
  if (row.attempt >= MAX_ATTEMPTS) {
    await endWithoutFile(tx, row, clock);
    return null;
  }
  const attempt = row.attempt + 1;
  await updateExport(tx, exportId, { state: 'running', attempt, done: 0, changedAt: now });
  return { userId: row.accountId, attempt };
};

export const reportExport = async (
  tx: Tx,
  { done, ...run }: ExportRun & { done: number },
  clock: Clock,
): Promise<void> => {
  const { id, accountId } = await lockRun(tx, run);
  await updateExport(tx, id, { done, changedAt: clock() });
  await emit(tx, dataExportProgressed, { subject: accountId, data: { exportId: id, done }, clock });
};

export const storePiece = async (
  tx: Tx,
  { position, content, ...run }: ExportRun & { position: number; content: Buffer },
  clock: Clock,
): Promise<void> => {
  await lockRun(tx, run);
  const now = clock();
  await storeChunk(tx, {
    ...run,
    position,
    content,
    expiresAt: new Date(now.getTime() + days(EXPORT_DAYS)),
  });
  await updateExport(tx, run.exportId, { changedAt: now });
};

/** Makes the file available. It takes the place of the account's earlier ones. */
export const finishExport = async (
  tx: Tx,
  { bytes, ...run }: ExportRun & { bytes: number },
  clock: Clock,
): Promise<void> => {
  const { id, accountId } = await lockRun(tx, run);
  const now = clock();
  const expiresAt = new Date(now.getTime() + days(EXPORT_DAYS));
  const done = EXPORT_PARTS.length;
  await updateExport(tx, id, { state: 'ready', bytes, done, expiresAt, changedAt: now });
  await deleteChunks(tx, await removeOthers(tx, accountId, id));
  const data = { exportId: id, expiresAt: expiresAt.toISOString() };
  await emit(tx, dataExportReady, { subject: accountId, data, clock });
};

/** Ends a run without a file. Another run may follow, until there have been too many. */
export const failRun = async (tx: Tx, run: ExportRun, clock: Clock): Promise<void> => {
  const row = await lockRun(tx, run);
  await deleteChunks(tx, [row.id]);
  if (row.attempt >= MAX_ATTEMPTS) await endWithoutFile(tx, row, clock);
  else await updateExport(tx, row.id, { state: 'waiting', changedAt: clock() });
};
