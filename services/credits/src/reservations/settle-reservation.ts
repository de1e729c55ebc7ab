import type { ChargeResult, CommitInput, CreditsAmounts } from '@shortlist/contracts/api/credits';
import type { Tx } from '@shortlist/kit/data/db';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError, createFieldError } from '@shortlist/kit/process/errors';
import { contactOf, lockPrice, updatePrice } from '../contacts/queries.ts';
import { storedBalance, sumReturns } from '../ledger/queries.ts';
import { lockReservation, type ReservationRow, settleReservation } from './queries.ts';
import {
  getBalance,
  getReservedCredits,
  presentSettlement,
  releaseReserved,
  repeatSettlement,
  type ReservedCredits,
  reverseCharge,
} from './return-credit.ts';

type ReservationKey = { userId: string; reservationId: string };

const getReservation = async (tx: Tx, { userId, reservationId }: ReservationKey): Promise<ReservationRow> => {
  const reservation = await lockReservation(tx, userId, reservationId);
  if (reservation === null) throw createError('credits.reservation_not_found');
  return reservation;
};

type Commit = { amount: number; clock: Clock };

/** What a commit charges of a reservation that holds credits: what it costs beyond the present price of its contact, which it raises. */
const payForContact = async (
  tx: Tx,
  { entry }: ReservedCredits,
  { amount, clock }: Commit,
): Promise<number> => {
  const held = Math.abs(entry.amount);
  const contact = contactOf(entry);
  if (contact === null) return Math.min(amount, held);
  const price = await lockPrice(tx, contact, clock());
  const charged = Math.min(Math.max(0, amount - price.paid), held);
  if (charged > 0) await updatePrice(tx, contact, { ...price, paid: price.paid + charged });
  return charged;
};

/** Leaves what the commit charges in place and reverses the rest. */
const finishCharge = async (
  tx: Tx,
  reserved: ReservedCredits,
  { amount, clock }: Commit,
): Promise<{ balance: CreditsAmounts; charged: number }> => {
  const { requestedAmount, amount: taken } = reserved.entry;
  const held = Math.abs(taken);
  const charged = held === 0 ? 0 : await payForContact(tx, reserved, { amount, clock });
  const unused = held - charged;
  if (unused === 0) return { balance: await getBalance(tx, reserved.entry, clock()), charged };
  // What was paid before the reservation was not held, so a commit that charges still less found the contact paid since.
  const isPaid = charged < amount - (requestedAmount - held);
  const reason = isPaid ? 'already_paid' : 'unused';
  return { balance: await reverseCharge(tx, reserved, { amount: unused, reason }, clock), charged };
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
  return { ...(await repeatSettlement(tx, reserved, clock())), charged };
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
  const { balance, charged } = await finishCharge(tx, reserved, { amount, clock });
  const settlement = { committedAmount: amount, ...storedBalance(balance) };
  await settleReservation(tx, reservation.id, { state: 'committed', ...settlement });
  return { ...(await presentSettlement(tx, reserved.entry.plan, balance, clock())), charged };
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
  if (reservation.state === 'released') return repeatSettlement(tx, reserved, clock());
  const balance = await releaseReserved(tx, reserved, 'released', clock);
  return presentSettlement(tx, reserved.entry.plan, balance, clock());
};
