import type { CreditsAmounts } from '@shortlist/contracts/api/public';
import type { Tx } from '@shortlist/kit/data/db';
import type { Clock } from '@shortlist/kit/process/clock';
import { contactKey } from '../contacts/contact-key.rules.ts';
import { deleteContactOfOperation } from '../contacts/queries.ts';
import { settleReservation } from './queries.ts';
import type { ReservationRow } from './reservation.entity.ts';
import { amountsOf, getReservedCredit, reverseCharge } from './return-credit.ts';

/**
 * Releases a reserved credit. Returns null when the reservation is settled already. A reservation of a contact that had been
 * charged before took no credit and returns none. The contact is locked before the window, in the order of a charge, so that the
 * two do not deadlock.
 */
export const releaseCredit = async (
  tx: Tx,
  reservation: ReservationRow,
  cause: { reason: 'released' | 'expired'; clock: Clock },
): Promise<CreditsAmounts | null> => {
  if (!(await settleReservation(tx, reservation.id, 'released'))) return null;
  const reserved = await getReservedCredit(tx, reservation);
  const { amount, reason, reference } = reserved.entry;
  if (amount === 0) return amountsOf(reserved);
  const { userId, operationId } = reservation;
  if (reference !== null) {
    const contact = { userId, reason, contactKey: contactKey(reference), operationId };
    await deleteContactOfOperation(tx, contact);
  }
  return reverseCharge(tx, reserved, cause);
};
