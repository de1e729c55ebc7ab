// A contact is charged once in thirty days for each reason; a repeated charge in that time takes no credit. A reservation counts
// as charged only once it is committed, because its credit may be returned: another charge of the contact before that takes a
// credit too, and a reservation that is committed after such a charge gets its credit back.
import { days } from '@shortlist/contracts/durations';
import { FREE_WINDOW_DAYS } from '@shortlist/contracts/limits';
import type { Tx } from '@shortlist/kit/data/db';
import { change, flag, selectRow, text } from '@shortlist/kit/data/sql';
import { EntitySchema } from 'typeorm';
import { contactKey } from './contact-key.rules.ts';

/** A contact that the operation `operationId` was charged for, by the key of its reference. */
type ContactRow = {
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
const upsertExpiredContact = async (
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
const getContactOwner = async (tx: Tx, { userId, reason, contactKey }: ContactKey): Promise<ContactOwner> => {
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

const updateContactOwner = async (
  tx: Tx,
  key: ContactKey,
  owner: Pick<ContactRow, 'operationId' | 'chargedAt'>,
): Promise<void> => {
  const { userId, reason, contactKey } = key;
  await tx.getRepository(contactEntity).update({ userId, reason, contactKey }, owner);
};

type Claim = Omit<ContactRow, 'contactKey'> & { reference: string };

const CONTACT_MS = days(FREE_WINDOW_DAYS);

/**
 * Marks a contact as charged by this operation. Returns false when another operation was charged for it less than thirty days
 * ago. Reservations are committed under the same row lock, so the owner that is read under it does not change before commit.
 */
export const claimContact = async (tx: Tx, { reference, ...claim }: Claim): Promise<boolean> => {
  const { operationId, chargedAt } = claim;
  const contact = { ...claim, contactKey: contactKey(reference) };
  await upsertExpiredContact(tx, contact, new Date(chargedAt.getTime() - CONTACT_MS));
  const owner = await getContactOwner(tx, contact);
  if (owner.operationId === operationId) return true;
  if (owner.isCharged === 1) return false;
  await updateContactOwner(tx, contact, { operationId, chargedAt });
  return true;
};

/** Deletes the contact if this operation still has it. */
export const deleteContactOfOperation = async (
  tx: Tx,
  { userId, reason, contactKey, operationId }: ContactKey & { operationId: string },
): Promise<void> => {
  await tx.getRepository(contactEntity).delete({ userId, reason, contactKey, operationId });
};
