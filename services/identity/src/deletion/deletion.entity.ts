import { EntitySchema } from 'typeorm';

/** The deletion of an account that its user has requested. */
export type DeletionRow = {
  id: string;
  accountId: string;
  requestedAt: Date;
  dueAt: Date;
  /** When the reminder was caused; null until then. */
  remindedAt: Date | null;
};

export const deletionEntity = new EntitySchema<DeletionRow>({
  name: 'deletion',
  tableName: 'deletions',
  columns: {
    id: { type: 'char', length: 36, primary: true },
    accountId: { name: 'account_id', type: 'char', length: 36 },
    requestedAt: { name: 'requested_at', type: 'datetime', precision: 3 },
    dueAt: { name: 'due_at', type: 'datetime', precision: 3 },
    remindedAt: { name: 'reminded_at', type: 'datetime', precision: 3, nullable: true },
  },
});
