import { EntitySchema } from 'typeorm';

/** An entry of the audit log that is sealed. `sealedAt` is the database's time. */
export type ChainRow = {
  sequence: number;
  entryId: string;
  recordHash: string;
  detailsHash: string;
  hash: string;
  sealedAt: Date;
};

const SHA256 = { type: 'char', length: 64 } as const;

export const chainEntity = new EntitySchema<ChainRow>({
  name: 'audit_chain',
  tableName: 'audit_chain',
  columns: {
    sequence: { type: 'bigint', unsigned: true, primary: true },
    entryId: { name: 'entry_id', type: 'char', length: 36 },
    recordHash: { name: 'record_hash', ...SHA256 },
    detailsHash: { name: 'details_hash', ...SHA256 },
    hash: SHA256,
    sealedAt: { name: 'sealed_at', type: 'datetime', precision: 3 },
  },
});
