import type { CreditsAmounts } from '@shortlist/contracts/api/public';
import type { Clock } from '@shortlist/kit/clock';
import type { Tx } from '@shortlist/kit/db';
import { coded } from '@shortlist/kit/errors';
import { findEntry } from '../spends/queries.ts';
import { findWindow } from '../windows/queries.ts';
import { findReservation, type ReservationRow, settleReservation } from './queries.ts';
import { releaseCredit } from './release-credit.ts';

type Asked = { userId: string; reservationId: string };

const getReservation = async (tx: Tx, { userId, reservationId }: Asked): Promise<ReservationRow> => {
  const reservation = await findReservation(tx, userId, reservationId);
  if (reservation === null) throw coded('credits.reservation_not_found');
  return reservation;
};

/** The amounts of the window in which a reservation was counted. */
const amountsOf = async (tx: Tx, { userId, operationId }: ReservationRow): Promise<CreditsAmounts> => {
  const entry = await findEntry(tx, userId, operationId);
  const window = entry && (await findWindow(tx, entry.windowId));
  if (!window) throw coded('credits.reservation_not_found');
  const { used, limit } = window;
  return { used, available: limit - used, limit };
};

const assertSettledAs = async (tx: Tx, asked: Asked, state: ReservationRow['state']): Promise<void> => {
  const { state: now } = await getReservation(tx, asked);
  if (now !== state) throw coded('credits.reservation_ended');
};

/**
 * Makes a hold a spend for good. Late by a little is no harm: until somebody has released it, the credit is still there. The
 * second time it answers the same; throws `credits.reservation_ended` once it was given back.
 */
export const commitReservation = async (tx: Tx, asked: Asked): Promise<CreditsAmounts> => {
  const reservation = await getReservation(tx, asked);
  if (!(await settleReservation(tx, reservation.id, 'committed')))
    await assertSettledAs(tx, asked, 'committed');
  return amountsOf(tx, reservation);
};

/** Gives a hold back. The second time it answers the same; throws `credits.reservation_ended` once it was committed. */
export const releaseReservation = async (tx: Tx, asked: Asked, clock: Clock): Promise<CreditsAmounts> => {
  const reservation = await getReservation(tx, asked);
  const released = await releaseCredit(tx, reservation, { reason: 'released', clock });
  if (released) return released;
  await assertSettledAs(tx, asked, 'released');
  return amountsOf(tx, reservation);
};
