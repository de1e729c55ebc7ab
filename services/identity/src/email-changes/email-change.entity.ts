import { EntitySchema } from 'typeorm';

export type EmailChangeRow = {
  id: string;
  accountId: string;
  oldEmail: string;
  newEmail: string;
  requestedAt: Date;
  /** When the first of the requests was made that replaced each other until this one: an undo removes what was added since. */
  firstRequestedAt: Date;
  /** The end of the time to confirm the new address. */
  expiresAt: Date;
  confirmedAt: Date | null;
  /** Until then the old address can undo the change and is reserved; null where it cannot. */
  undoUntil: Date | null;
  /** `ownedSince` of the account before the change. */
  ownedBefore: Date | null;
  /** When the change was canceled, replaced by another request, or undone. */
  endedAt: Date | null;
};

export const emailChangeEntity = new EntitySchema<EmailChangeRow>({
  name: 'email_change',
  tableName: 'email_changes',
  columns: {
    id: { type: 'char', length: 36, primary: true },
    accountId: { name: 'account_id', type: 'char', length: 36 },
    oldEmail: { name: 'old_email', type: 'varchar', length: 254 },
    newEmail: { name: 'new_email', type: 'varchar', length: 254 },
    requestedAt: { name: 'requested_at', type: 'datetime', precision: 3 },
    firstRequestedAt: { name: 'first_requested_at', type: 'datetime', precision: 3 },
    expiresAt: { name: 'expires_at', type: 'datetime', precision: 3 },
    confirmedAt: { name: 'confirmed_at', type: 'datetime', precision: 3, nullable: true },
    undoUntil: { name: 'undo_until', type: 'datetime', precision: 3, nullable: true },
    ownedBefore: { name: 'owned_before', type: 'datetime', precision: 3, nullable: true },
    endedAt: { name: 'ended_at', type: 'datetime', precision: 3, nullable: true },
  },
});
