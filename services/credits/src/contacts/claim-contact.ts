// A contact is charged once in thirty days for each reason; a repeated charge in that time takes no credit. A reservation counts
// as charged only once it is committed, because its credit may be returned: another charge of the contact before that takes a
// credit too, and a reservation that is committed after such a charge gets its credit back.
import { days } from '@shortlist/contracts/durations';
import { FREE_WINDOW_DAYS } from '@shortlist/contracts/limits';
import type { Tx } from '@shortlist/kit/data/db';
import { contactKey } from './contact-key.rules.ts';
import { type ContactRow, getContactOwner, updateContactOwner, upsertExpiredContact } from './queries.ts';

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
