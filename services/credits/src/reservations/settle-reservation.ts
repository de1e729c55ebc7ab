import type { CreditsAmounts } from '@shortlist/contracts/api/credits';
import type { Tx } from '@shortlist/kit/data/db';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import { claimContact } from '../contacts/queries.ts';
import { findReservation, type ReservationRow, settleReservation } from './queries.ts';
import { amountsOf, getReservedCredit, releaseCredit, reverseCharge } from './return-credit.ts';

type ReservationKey = { userId: string; reservationId: string };

const getReservation = async (tx: Tx, { userId, reservationId }: ReservationKey): Promise<ReservationRow> => {
  const reservation = await findReservation(tx, userId, reservationId);
  if (reservation === null) throw createError('credits.reservation_not_found');
  return reservation;
};

/** Leaves the charge in place, or reverses it when another operation has been charged for the same contact meanwhile. */
const finishCharge = async (tx: Tx, reservation: ReservationRow, clock: Clock): Promise<CreditsAmounts> => {
  const reserved = await getReservedCredit(tx, reservation);
  const { amount, reason, reference } = reserved.entry;
  if (amount === 0 || reference === null) return amountsOf(reserved);
  const { userId, operationId } = reservation;
  const isOwner = await claimContact(tx, { userId, reason, reference, operationId, chargedAt: clock() });
  return isOwner ? amountsOf(reserved) : reverseCharge(tx, reserved, { reason: 'already_paid', clock });
};

const assertState = async (tx: Tx, key: ReservationKey, state: ReservationRow['state']): Promise<void> => {
  const { state: current } = await getReservation(tx, key);
  if (current !== state) throw createError('credits.reservation_ended');
};

/**
 * Commits a reservation, also after its expiry as long as it has not been released. A repeated commit returns the same amounts;
 * throws `credits.reservation_ended` when the reservation was released.
 */
export const commitReservation = async (
  tx: Tx,
  key: ReservationKey,
  clock: Clock,
): Promise<CreditsAmounts> => {
  const reservation = await getReservation(tx, key);
  if (await settleReservation(tx, reservation.id, 'committed')) return finishCharge(tx, reservation, clock);
  await assertState(tx, key, 'committed');
  return amountsOf(await getReservedCredit(tx, reservation));
};

/** Releases a reservation. A repeated release returns the same amounts; throws `credits.reservation_ended` after a commit. */
export const releaseReservation = async (
  tx: Tx,
  key: ReservationKey,
  clock: Clock,
): Promise<CreditsAmounts> => {
  const reservation = await getReservation(tx, key);
  const released = await releaseCredit(tx, reservation, { reason: 'released', clock });
  if (released) return released;
  await assertState(tx, key, 'released');
  return amountsOf(await getReservedCredit(tx, reservation));
};
