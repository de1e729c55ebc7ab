import type { Tx } from '@shortlist/kit/data/db';
import { change, flag, selectRow, text } from '@shortlist/kit/data/sql';
import { EntitySchema } from 'typeorm';

/** A contact that the operation `operationId` was charged for, by the key of its reference. */
export type ContactRow = {
  userId: string;
  reason: string;
  contactKey: string;
  operationId: string;
  chargedAt: Date;
};

export const contactEntity = new EntitySchema<ContactRow>({
  name: 'contact',
  tableName: 'contacts',
  columns: {
    userId: { name: 'user_id', type: 'char', length: 36, primary: true },
    reason: { type: 'varchar', length: 40, primary: true },
    contactKey: { name: 'reference', type: 'varchar', length: 600, primary: true },
    operationId: { name: 'operation_id', type: 'varchar', length: 100 },
    chargedAt: { name: 'charged_at', type: 'datetime', precision: 3 },
  },
});

type ContactKey = Pick<ContactRow, 'userId' | 'reason' | 'contactKey'>;

/**
 * Inserts the contact, or takes over a row that was charged at `expiredBefore` or earlier. A concurrent claim of the same contact
 * waits at the key until this transaction ends: ON DUPLICATE KEY takes the row's exclusive lock at once, where INSERT IGNORE would
 * take a shared lock first and concurrent claims would deadlock.
 */
export const upsertExpiredContact = async (
  tx: Tx,
  { userId, reason, contactKey, operationId, chargedAt }: ContactRow,
  expiredBefore: Date,
): Promise<void> => {
  // Hot: part of every charge with a reference. The builder lacks conditions in ON DUPLICATE KEY UPDATE.
  await change(tx, {
    sql: `INSERT INTO contacts (user_id, reason, reference, operation_id, charged_at) VALUES (?, ?, ?, ?, ?)
      ON DUPLICATE KEY UPDATE operation_id = IF(charged_at <= ?, VALUES(operation_id), operation_id),
        charged_at = IF(charged_at <= ?, VALUES(charged_at), charged_at)`,
    values: [userId, reason, contactKey, operationId, chargedAt, expiredBefore, expiredBefore],
  });
};

type ContactOwner = { operationId: string; isCharged: 0 | 1 };

/** The operation that has the contact, and whether its charge is final: a reservation's is final once it is committed. */
export const getContactOwner = async (
  tx: Tx,
  { userId, reason, contactKey }: ContactKey,
): Promise<ContactOwner> => {
  // Hot: part of every charge with a reference.
  const owner = await selectRow(
    tx,
    { operationId: text, isCharged: flag },
    {
      sql: `SELECT c.operation_id AS operationId, r.id IS NULL OR r.state = 'committed' AS isCharged FROM contacts c
        LEFT JOIN reservations r ON r.user_id = c.user_id AND r.operation_id = c.operation_id
        WHERE c.user_id = ? AND c.reason = ? AND c.reference = ?`,
      values: [userId, reason, contactKey],
    },
  );
  if (owner === null) throw new Error('a locked contact is missing');
  return owner;
};

export const updateContactOwner = async (
  tx: Tx,
  key: ContactKey,
  owner: Pick<ContactRow, 'operationId' | 'chargedAt'>,
): Promise<void> => {
  const { userId, reason, contactKey } = key;
  await tx.getRepository(contactEntity).update({ userId, reason, contactKey }, owner);
};

/** Deletes the contact if this operation still has it. */
export const deleteContactOfOperation = async (
  tx: Tx,
  { userId, reason, contactKey, operationId }: ContactKey & { operationId: string },
): Promise<void> => {
  await tx.getRepository(contactEntity).delete({ userId, reason, contactKey, operationId });
};

/** Returns the number of deleted contacts. */
export const deleteContactsOf = async (tx: Tx, userId: string): Promise<number> =>
  (await tx.getRepository(contactEntity).delete({ userId })).affected ?? 0;
