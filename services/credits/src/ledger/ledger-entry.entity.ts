import { EntitySchema } from 'typeorm';

/**
 * `amount` is -1 for a charge, 1 for a credit that was returned, and 0 for a charge of a contact that had been charged before.
 * `reason` is the client's, or the cause of the return. `usedAfter` is the window's use after this entry.
 */
export type LedgerEntry = {
  id: number;
  userId: string;
  windowId: number;
  operationId: string;
  amount: number;
  reason: string;
  reference: string | null;
  usedAfter: number;
  createdAt: Date;
};

const toNumber = { from: Number, to: (id: number) => id };

export const ledgerEntryEntity = new EntitySchema<LedgerEntry>({
  name: 'ledger_entry',
  tableName: 'ledger',
  columns: {
    id: { type: 'bigint', unsigned: true, primary: true, generated: 'increment', transformer: toNumber },
    userId: { name: 'user_id', type: 'char', length: 36 },
    windowId: { name: 'window_id', type: 'bigint', unsigned: true, transformer: toNumber },
    operationId: { name: 'operation_id', type: 'varchar', length: 100 },
    amount: { type: 'int' },
    reason: { type: 'varchar', length: 40 },
    reference: { type: 'varchar', length: 200, nullable: true },
    usedAfter: { name: 'used_after', type: 'int', unsigned: true },
    createdAt: { name: 'created_at', type: 'datetime', precision: 3 },
  },
});
