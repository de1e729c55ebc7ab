import type { DataExportView } from '@shortlist/contracts/api/privacy';
import type { DataExportRow } from './data-export.entity.ts';

export const isExpired = ({ expiresAt }: Pick<DataExportRow, 'expiresAt'>, now: Date): boolean =>
  expiresAt !== null && expiresAt <= now;

export const presentExport = (row: DataExportRow, now: Date): DataExportView => {
  const { id, state, done, requestedAt, bytes, expiresAt } = row;
  return {
    ...{ id, done, bytes, requestedAt: requestedAt.toISOString() },
    state: state === 'removed' || (state === 'ready' && isExpired(row, now)) ? 'expired' : state,
    expiresAt: expiresAt?.toISOString() ?? null,
  };
};
