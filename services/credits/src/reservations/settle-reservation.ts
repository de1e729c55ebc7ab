import type { ChargeResult, CreditsAmounts } from '@shortlist/contracts/api/credits';
import type { CommitInput } from '@shortlist/contracts/schemas/credits';
import type { Tx } from '@shortlist/kit/data/db';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError, createFieldError } from '@shortlist/kit/process/errors';
import { claimContact } from '../ledger/contact-queries.ts';
import { sumReturns } from '../ledger/queries.ts';
import { lockReservation, type ReservationRow, settleReservation } from './queries.ts';
import {
  type After,
  amountsOf,
  getReservedCredits,
  releaseReserved,
  type ReservedCredits,
  reverseCharge,
  settledAmountsOf,
  unchangedAmounts,
} from './return-credit.ts';

type ReservationKey = { userId: string; reservationId: string };

const getReservation = async (tx: Tx, { userId, reservationId }: ReservationKey): Promise<ReservationRow> => {
  const reservation = await lockReservation(tx, userId, reservationId);
  if (reservation === null) throw createError('credits.reservation_not_found');
  return reservation;
};

type Commit = { amount: number; clock: Clock };

/** Whether another operation has been charged for the contact of this reservation meanwhile. */
const isContactPaid = async (
  tx: Tx,
  { reservation, entry }: ReservedCredits,
  clock: Clock,
): Promise<boolean> => {
  const { reason, reference } = entry;
  if (reference === null) return false;
  const { userId, operationId } = reservation;
  return !(await claimContact(tx, { userId, reason, reference, operationId, chargedAt: clock() }));
};

/** Leaves the committed part of the charge in place and reverses the rest, or all of it when the contact is paid. */
const finishCharge = async (
  tx: Tx,
  reserved: ReservedCredits,
  { amount, clock }: Commit,
): Promise<{ after: After; charged: number }> => {
  const reservedAmount = Math.abs(reserved.entry.amount);
  const isPaid = reservedAmount > 0 && (await isContactPaid(tx, reserved, clock));
  const charged = isPaid ? 0 : Math.min(amount, reservedAmount);
  const unused = reservedAmount - charged;
  if (unused === 0) return { after: await unchangedAmounts(tx, { reserved, clock }), charged };
  const reason = isPaid ? 'already_paid' : 'unused';
  return { after: await reverseCharge(tx, reserved, { amount: unused, reason, clock }), charged };
};

/** The response of an earlier commit. Throws `credits.reservation_ended` when that was of another amount, or a release. */
const repeatCommit = async (
  tx: Tx,
  reserved: ReservedCredits,
  { amount, clock }: Commit,
): Promise<ChargeResult> => {
  const { reservation, entry } = reserved;
  const { id, userId, state, committedAmount } = reservation;
  if (state !== 'committed' || (committedAmount ?? entry.requestedAmount) !== amount)
    throw createError('credits.reservation_ended');
  const charged = Math.abs(entry.amount) - (await sumReturns(tx, userId, id));
  return { ...(await settledAmountsOf(tx, reserved, clock)), charged };
};

/**
 * Commits a reservation or a part of it, also after its expiry as long as it has not been released. The limit of `amount` is what was
 * requested, not what was charged, so a client need not know that its contact takes nothing. A repeated commit returns the same result;
 * throws `credits.reservation_ended` when the reservation was released, or committed with another amount.
 */
export const commitReservation = async (
  tx: Tx,
  { amount: given, ...key }: ReservationKey & CommitInput,
  clock: Clock,
): Promise<ChargeResult> => {
  const reservation = await getReservation(tx, key);
  const reserved = await getReservedCredits(tx, reservation);
  const { requestedAmount } = reserved.entry;
  const amount = given ?? requestedAmount;
  if (amount > requestedAmount)
    throw createFieldError('request.invalid', 'amount', {
      message: `Please give at most the ${requestedAmount} that were reserved`,
    });
  if (reservation.state !== 'held') return repeatCommit(tx, reserved, { amount, clock });
  const { after, charged } = await finishCharge(tx, reserved, { amount, clock });
  await settleReservation(tx, reservation.id, { state: 'committed', committedAmount: amount, ...after });
  return { ...(await amountsOf(tx, reserved.window, { after, clock })), charged };
};

/** Releases a reservation. A repeated release returns the same amounts; throws `credits.reservation_ended` after a commit. */
export const releaseReservation = async (
  tx: Tx,
  key: ReservationKey,
  clock: Clock,
): Promise<CreditsAmounts> => {
  const reservation = await getReservation(tx, key);
  if (reservation.state === 'committed') throw createError('credits.reservation_ended');
  const reserved = await getReservedCredits(tx, reservation);
  if (reservation.state === 'released') return settledAmountsOf(tx, reserved, clock);
  const after = await releaseReserved(tx, reserved, { reason: 'released', clock });
  return amountsOf(tx, reserved.window, { after, clock });
};
