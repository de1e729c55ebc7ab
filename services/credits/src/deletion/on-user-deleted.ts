import type { CloudEvent } from '@shortlist/contracts/events/define';
import type { UserDeleted } from '@shortlist/contracts/events/identity';
import type { Tx } from '@shortlist/kit/data/db';
import { deleteContactsOf } from '../contacts/queries.ts';
import { deleteCycles, lockFreeCycle } from '../free-cycles/queries.ts';
import { deleteLedgerOf } from '../ledger/queries.ts';
import { deleteReservationsOf } from '../reservations/queries.ts';
import { deleteAccount, insertDeletedUserIfAbsent, lockAccount } from '../users/queries.ts';
import { deleteWindowsOf } from '../windows/queries.ts';

/**
 * Deletes everything about a user. The order follows the locks of concurrent transactions, so that none of them leaves a row:
 * 1. A plan change locks the account and the opening of a window locks the free cycle: each ends before this handler continues, or
 *    finds the user deleted.
 * 2. A charge or a reservation has a contact or a window locked while it writes, so contacts and windows are deleted before
 *    reservations and the ledger.
 * 3. A commit locks its reservation and may claim the contact again, so contacts are deleted once more after the reservations.
 */
export const onUserDeleted = async (tx: Tx, { subject, time }: CloudEvent<UserDeleted>): Promise<void> => {
  const at = new Date(time);
  await lockAccount(tx, subject);
  await lockFreeCycle(tx, subject, at);
  await insertDeletedUserIfAbsent(tx, subject, at);
  await deleteAccount(tx, subject);
  await deleteContactsOf(tx, subject);
  await deleteWindowsOf(tx, subject);
  await deleteCycles(tx, [subject]);
  await deleteReservationsOf(tx, subject);
  await deleteContactsOf(tx, subject);
  await deleteLedgerOf(tx, subject);
};
