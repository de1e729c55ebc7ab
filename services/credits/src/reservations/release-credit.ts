import type { CreditsAmounts } from '@shortlist/contracts/api/public';
import type { Clock } from '@shortlist/kit/process/clock';
import type { Tx } from '@shortlist/kit/data/db';
import { releaseContact } from '../charges/contacts.ts';
import { amountsIn, getCharged, reverseCharge } from './give-back.ts';
import { type ReservationRow, settleReservation } from './queries.ts';

/**
 * Gives a held credit back. Answers null when the hold was settled before. A hold on a contact that was paid for already took
 * nothing and gives nothing. The contact comes before the window, as in a spend, so that the two do not deadlock.
 */
export const releaseCredit = async (
  tx: Tx,
  reservation: ReservationRow,
  why: { reason: 'released' | 'expired'; clock: Clock },
): Promise<CreditsAmounts | null> => {
  if (!(await settleReservation(tx, reservation.id, 'released'))) return null;
  const charged = await getCharged(tx, reservation);
  const { amount, reason, reference } = charged.entry;
  if (amount === 0) return amountsIn(charged);
  const { userId, operationId } = reservation;
  if (reference !== null) await releaseContact(tx, { userId, reason, reference, operationId });
  return reverseCharge(tx, charged, why);
};
