import type { ExportState } from '@shortlist/contracts/api/privacy';
import { EntitySchema } from 'typeorm';

/** A file with the data of a user. `attempt` is the run that writes it; `bytes` and `expiresAt` are known once it is ready. */
export type DataExportRow = {
  id: string;
  accountId: string;
  state: ExportState | 'removed';
  attempt: number;
  done: number;
  bytes: number | null;
  requestedAt: Date;
  changedAt: Date;
  expiresAt: Date | null;
};

export const dataExportEntity = new EntitySchema<DataExportRow>({
  name: 'data_export',
  tableName: 'data_exports',
  columns: {
    id: { type: 'char', length: 36, primary: true },
    accountId: { name: 'account_id', type: 'char', length: 36 },
    state: { type: 'enum', enum: ['waiting', 'running', 'ready', 'failed', 'removed'] },
    attempt: { type: 'int', unsigned: true, default: 0 },
    done: { type: 'int', unsigned: true, default: 0 },
    bytes: {
      ...{ type: 'bigint', unsigned: true, nullable: true },
      transformer: {
        from: (bytes: unknown) => (bytes === null ? null : Number(bytes)),
        to: (bytes: unknown) => bytes,
      },
    },
    requestedAt: { name: 'requested_at', type: 'datetime', precision: 3 },
    changedAt: { name: 'changed_at', type: 'datetime', precision: 3 },
    expiresAt: { name: 'expires_at', type: 'datetime', precision: 3, nullable: true },
  },
});
