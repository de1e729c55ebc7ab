import type { CreditsAmounts } from '@shortlist/contracts/api/public';
import type { Clock } from '@shortlist/kit/process/clock';
import type { Tx } from '@shortlist/kit/data/db';
import { createError } from '@shortlist/kit/process/errors';
import { claimContact } from '../charges/contacts.ts';
import { amountsIn, getCharged, reverseCharge } from './give-back.ts';
import { findReservation, type ReservationRow, settleReservation } from './queries.ts';
import { releaseCredit } from './release-credit.ts';

type Asked = { userId: string; reservationId: string };

const getReservation = async (tx: Tx, { userId, reservationId }: Asked): Promise<ReservationRow> => {
  const reservation = await findReservation(tx, userId, reservationId);
  if (reservation === null) throw createError('credits.reservation_not_found');
  return reservation;
};

/** Keeps the credit of a hold that was committed, unless another operation has paid for its contact meanwhile. */
const chargeOnce = async (tx: Tx, reservation: ReservationRow, clock: Clock): Promise<CreditsAmounts> => {
  const charged = await getCharged(tx, reservation);
  const { amount, reason, reference } = charged.entry;
  if (amount === 0 || reference === null) return amountsIn(charged);
  const { userId, operationId } = reservation;
  const isPayer = await claimContact(tx, { userId, reason, reference, operationId, at: clock() });
  return isPayer ? amountsIn(charged) : reverseCharge(tx, charged, { reason: 'already_paid', clock });
};

const assertSettledAs = async (tx: Tx, asked: Asked, state: ReservationRow['state']): Promise<void> => {
  const { state: now } = await getReservation(tx, asked);
  if (now !== state) throw createError('credits.reservation_ended');
};

/**
 * Makes a hold a spend for good. Late by a little is no harm: until somebody has released it, the credit is still there. The
 * second time it answers the same; throws `credits.reservation_ended` once it was given back.
 */
export const commitReservation = async (tx: Tx, asked: Asked, clock: Clock): Promise<CreditsAmounts> => {
  const reservation = await getReservation(tx, asked);
  if (await settleReservation(tx, reservation.id, 'committed')) return chargeOnce(tx, reservation, clock);
  await assertSettledAs(tx, asked, 'committed');
  return amountsIn(await getCharged(tx, reservation));
};

/** Gives a hold back. The second time it answers the same; throws `credits.reservation_ended` once it was committed. */
export const releaseReservation = async (tx: Tx, asked: Asked, clock: Clock): Promise<CreditsAmounts> => {
  const reservation = await getReservation(tx, asked);
  const released = await releaseCredit(tx, reservation, { reason: 'released', clock });
  if (released) return released;
  await assertSettledAs(tx, asked, 'released');
  return amountsIn(await getCharged(tx, reservation));
};
