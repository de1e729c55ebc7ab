// A contact has a price for each reason: the most that was charged for it in the thirty days since its first charge. Another charge in
// that time pays what it costs beyond the price. A reservation counts in it once it is committed, because its credits may be returned.
import type { ChargeResult } from '@shortlist/contracts/api/credits';
import { days } from '@shortlist/contracts/durations';
import { FREE_WINDOW_DAYS } from '@shortlist/contracts/limits';
import * as column from '@shortlist/kit/data/columns';
import type { Tx } from '@shortlist/kit/data/db';
import { defineEntity, type RowOf } from '@shortlist/kit/data/entity';
import { change, instant, integer, selectRow, sql } from '@shortlist/kit/data/sql';
import type { PruneRule } from '@shortlist/kit/messaging/pruning';
import { contactKey } from './contact-key.rules.ts';

type Repeat = { amount: number; response: ChargeResult };

/**
 * A contact by the key of its reference. `paid`: what was charged for it since `chargedAt`. `operationId`: the operation that paid last; `repeatId` and `lastRepeat`: the last one that cost nothing.
 */
export const contactEntity = defineEntity('contact', 'contacts', {
  userId: { ...column.uuid, primary: true },
  reason: { ...column.varchar(40), primary: true },
  contactKey: { ...column.varchar(600), name: 'reference', primary: true },
  operationId: column.varchar(100),
  chargedAt: column.dateTime,
  paid: column.unsigned,
  repeatId: column.nullable(column.varchar(100)),
  lastRepeat: column.nullable(column.json<Repeat>()),
});
type ContactRow = RowOf<typeof contactEntity>;

/** `operationId`: the operation that charges for the contact now. */
export type Contact = Pick<ContactRow, 'userId' | 'reason' | 'contactKey' | 'operationId'>;

type Named = Omit<Contact, 'contactKey'> & { reference?: string | null };

/** What a charge, or its ledger entry, is for; null if it names no contact. */
export const contactOf = ({ userId, reason, operationId, reference }: Named): Contact | null =>
  typeof reference === 'string' ? { userId, reason, operationId, contactKey: contactKey(reference) } : null;

/** What was paid in the period since `since`; 0 when none is under way at `now`, and one begins. */
export const findPrice = async (
  tx: Tx,
  contact: Contact,
  now: Date,
): Promise<{ paid: number; since: Date }> => {
  // Hot: part of every charge with a reference.
  const prices = sql`SELECT charged_at AS since, paid FROM contacts
    WHERE user_id = ${contact.userId} AND reason = ${contact.reason} AND reference = ${contact.contactKey}`;
  const row = await selectRow(tx, { paid: integer, since: instant }, prices);
  const isUnderWay =
    row !== null && row.paid > 0 && row.since.getTime() + days(FREE_WINDOW_DAYS) > now.getTime();
  return isUnderWay ? row : { paid: 0, since: now };
};

const updateContact = (tx: Tx, { userId, reason, contactKey: key }: Contact, values: Partial<ContactRow>) =>
  tx.update(contactEntity, { userId, reason, contactKey: key }, values);

/**
 * Raises the price of a contact to `amount`, by `limit` at most, and returns by how much. The contact, created when there is none, stays
 * locked until commit. ON DUPLICATE KEY takes the row's exclusive lock at once, where INSERT IGNORE would take a shared lock first and
 * concurrent charges would deadlock.
 */
export const raisePrice = async (
  tx: Tx,
  contact: Contact,
  { amount, limit }: { amount: number; limit: number },
  now: Date,
): Promise<number> => {
  const { userId, reason, contactKey: key, operationId } = contact;
  // Hot: part of every charge with a reference.
  const locking = sql`INSERT INTO contacts (user_id, reason, reference, operation_id, charged_at, paid)
    VALUES (${userId}, ${reason}, ${key}, ${operationId}, ${now}, 0) ON DUPLICATE KEY UPDATE user_id = VALUES(user_id)`;
  await change(tx, locking);
  const { paid, since } = await findPrice(tx, contact, now);
  const due = Math.min(Math.max(0, amount - paid), limit);
  if (due > 0) await updateContact(tx, contact, { paid: paid + due, chargedAt: since, operationId });
  return due;
};

/** Remembers the last operation that cost nothing. Fails with a duplicate-key error when another contact remembers this one. */
export const updateRepeat = (tx: Tx, contact: Contact, lastRepeat: Repeat): Promise<unknown> =>
  updateContact(tx, contact, { lastRepeat, repeatId: contact.operationId });

export const findRepeat = async (
  tx: Tx,
  { userId, operationId }: Pick<Contact, 'userId' | 'operationId'>,
): Promise<(Contact & Repeat) | null> => {
  const row = await tx.findOneBy(contactEntity, { userId, repeatId: operationId });
  return row?.lastRepeat ? { ...row, operationId, ...row.lastRepeat } : null;
};

/** A day longer than the price counts, so that no process whose clock is ahead ends a period early. */
export const EXPIRED_CONTACTS: PruneRule = {
  days: FREE_WINDOW_DAYS + 1,
  remove: 'DELETE FROM contacts WHERE charged_at < ? ORDER BY charged_at LIMIT ?',
};
