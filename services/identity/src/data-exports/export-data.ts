import { actorOf, recordAction } from '@shortlist/audit/audit-log';
import type { ExportRun } from '@shortlist/contracts/api/privacy';
import { days, minutes } from '@shortlist/contracts/durations';
import {
  dataExportProgressed,
  dataExportReady,
  dataExportRequested,
} from '@shortlist/contracts/events/identity';
import { EXPORT_DAYS, EXPORT_PARTS, EXPORTS_PER_DAY } from '@shortlist/contracts/limits';
import type { Tx } from '@shortlist/kit/data/db';
import type { Caller } from '@shortlist/kit/http/service-token';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import { uuidv7 } from 'uuidv7';
import { lockAccount } from '../accounts/queries.ts';
import {
  type DataExportRow,
  deleteChunks,
  hasExportInProgress,
  insertExport,
  listRequestTimes,
  lockExport,
  removeOthers,
  storeChunk,
  updateExport,
} from './queries.ts';

const assertAllowed = async (tx: Tx, accountId: string, now: Date): Promise<void> => {
  if (await hasExportInProgress(tx, accountId)) throw createError('identity.export_running');
  const times = await listRequestTimes(tx, accountId, new Date(now.getTime() - days(1)));
  const [oldest] = times;
  if (oldest === undefined || times.length < EXPORTS_PER_DAY) return;
  const waitMs = oldest.getTime() + days(1) - now.getTime();
  throw createError('request.rate_limited', { retryAfterSeconds: Math.ceil(waitMs / 1000) });
};

/** Requests a file with the data of an account: one at a time and a few a day. The lock serializes concurrent requests. */
export const requestExport = async (
  tx: Tx,
  { accountId, caller, clock }: { accountId: string; caller: Caller; clock: Clock },
): Promise<DataExportRow> => {
  if (!(await lockAccount(tx, accountId))) throw createError('identity.user_not_found');
  const now = clock();
  await assertAllowed(tx, accountId, now);
  const row: DataExportRow = {
    id: uuidv7(),
    accountId,
    state: 'waiting',
    attempt: 0,
    done: 0,
    bytes: null,
    expiresAt: null,
    requestedAt: now,
    changedAt: now,
  };
  await insertExport(tx, row);
  await emit(tx, dataExportRequested, { subject: accountId, data: { exportId: row.id }, clock });
  await recordAction(tx, {
    action: 'account.request_data',
    targetId: accountId,
    clock,
    ...actorOf(caller, accountId),
  });
  return row;
};

/** Removes the files of an account. A run that is still writing one is refused at its next piece. */
export const removeExports = async (tx: Tx, accountId: string): Promise<void> => {
  await lockAccount(tx, accountId);
  await deleteChunks(tx, await removeOthers(tx, accountId, null));
};

/** A run reports progress with each stored piece and each finished part. Without progress for this long, it counts as dead. */
export const STALLED_MS = minutes(2);
/** Runs per file before it fails. */
const MAX_ATTEMPTS = 5;

/** Locks the export of a run. Throws `identity.export_superseded` if another run has taken over. */
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

/** Begins a run of an export. Returns null if another run is working on it, or nothing is left to do. */
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

/** Makes the file available in place of the account's earlier ones. */
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

/** Ends a run without a file. Another may follow, up to MAX_ATTEMPTS. */
export const failRun = async (tx: Tx, run: ExportRun, clock: Clock): Promise<void> => {
  const row = await lockRun(tx, run);
  await deleteChunks(tx, [row.id]);
  if (row.attempt >= MAX_ATTEMPTS) await endWithoutFile(tx, row, clock);
  else await updateExport(tx, row.id, { state: 'waiting', changedAt: clock() });
};
