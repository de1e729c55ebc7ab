import { actorOf, recordAction } from '@shortlist/audit/audit-log';
import { days } from '@shortlist/contracts/durations';
import { dataExportRequested } from '@shortlist/contracts/events/identity';
import { EXPORTS_PER_DAY } from '@shortlist/contracts/limits';
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
  removeOthers,
} from './queries.ts';

const assertAllowed = async (tx: Tx, accountId: string, now: Date): Promise<void> => {
  if (await hasExportInProgress(tx, accountId)) throw createError('identity.export_running');
  const times = await listRequestTimes(tx, accountId, new Date(now.getTime() - days(1)));
  const [oldest] = times;
  if (oldest === undefined || times.length < EXPORTS_PER_DAY) return;
  const waitMs = oldest.getTime() + days(1) - now.getTime();
  throw createError('request.rate_limited', { retryAfterSeconds: Math.ceil(waitMs / 1000) });
};

/** Requests a file with the data of an account, one at a time and a few a day. The lock makes concurrent requests one. */
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

/** Removes the files of an account. A run that still writes one is refused its next piece. */
export const removeExports = async (tx: Tx, accountId: string): Promise<void> => {
  await lockAccount(tx, accountId);
  await deleteChunks(tx, await removeOthers(tx, accountId, null));
};
