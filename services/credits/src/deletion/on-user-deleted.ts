import type { CloudEvent } from '@shortlist/contracts/events/define';
import type { UserDeleted } from '@shortlist/contracts/events/identity';
import type { Tx } from '@shortlist/kit/data/db';
import { deleteReservationsOf } from '../reservations/queries.ts';
import { deleteContactsOf } from '../charges/contacts.ts';
import { deleteLedgerOf } from '../charges/queries.ts';
import { deleteWindowsOf, lockFreeCycle } from '../windows/queries.ts';
import { deleteAccount, lockAccount, rememberDeleted } from './queries.ts';

/**
 * The two locks are those of whoever changes a plan or opens a window: they come before us, or find that nobody is there. Whoever
 * spends or holds has a contact or a window locked while they write, so these go before what is written under them, and the ledger
 * goes last. Whoever commits a hold has that locked and may claim its contact anew, so contacts go once more after the holds.
 */
export const onUserDeleted = async (tx: Tx, { subject, time }: CloudEvent<UserDeleted>): Promise<void> => {
  const at = new Date(time);
  await lockAccount(tx, subject);
  await lockFreeCycle(tx, subject, at);
  await rememberDeleted(tx, subject, at);
  await deleteAccount(tx, subject);
  await deleteContactsOf(tx, subject);
  await deleteWindowsOf(tx, subject);
  await deleteReservationsOf(tx, subject);
  await deleteContactsOf(tx, subject);
  await deleteLedgerOf(tx, subject);
};
