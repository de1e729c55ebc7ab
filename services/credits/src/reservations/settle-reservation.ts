import type {
  ChargeResult,
  CommitInput,
  CreditsAmounts,
  ReturnReason,
} from '@shortlist/contracts/api/credits';
import { creditReleased } from '@shortlist/contracts/events/credits';
import { type Db, inTransaction, type Tx } from '@shortlist/kit/data/db';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError, createFieldError } from '@shortlist/kit/process/errors';
import type { Log } from '@shortlist/kit/process/log';
import { lockExistingAccount, raiseBucketVersion } from '../accounts/queries.ts';
import { balanceOf, divideReturn, limitOf } from '../buckets/bucket.rules.ts';
import { windowOf } from '../buckets/plan-bucket.rules.ts';
import { changeUse, findCurrentBuckets, getBalance } from '../buckets/queries.ts';
import { contactOf, raisePrice } from '../contacts/queries.ts';
import {
  balanceAfter,
  findLedgerEntry,
  insertLedgerEntry,
  type LedgerEntry,
  listParts,
  returnOperationId,
  storedBalance,
  sumReturns,
} from '../ledger/queries.ts';
import { lockReservation, postponeExpiry, type ReservationRow, updateReservation } from './queries.ts';

/** What stays charged of a reservation, and why the rest returns. */
type Settlement = { charged: number; reason: ReturnReason; committedAmount?: number };

/** A reservation with the entry of its charge, and the credits that this took. */
type Reserved = { reservation: ReservationRow; entry: LedgerEntry; held: number };

/** Locks a reservation until commit. Null without one; throws when a deletion has removed its bucket. */
const lockReserved = async (tx: Tx, userId: string, id: string): Promise<Reserved | null> => {
  const reservation = await lockReservation(tx, userId, id);
  if (reservation === null) return null;
  const entry = await findLedgerEntry(tx, userId, reservation.operationId);
  if (entry === null) throw createError('credits.reservation_not_found');
  return { reservation, entry, held: Math.abs(entry.amount) };
};

/**
 * Returns credits to where they were charged, the last part first, with a ledger entry that reverses the charge or a part of it. What returns
 * to a bucket that has ended, or to a pack that was refunded, counts nowhere else.
 */
const reverseCharge = async (
  tx: Tx,
  { reservation: { id, userId }, entry }: Reserved,
  { amount, reason, committedAmount }: Omit<Settlement, 'charged'> & { amount: number },
  clock: Clock,
): Promise<CreditsAmounts> => {
  const charged = await listParts(tx, entry);
  const isOfOthers = charged.some(({ position }) => position !== 0);
  if (isOfOthers && !(await lockExistingAccount(tx, userId)))
    throw createError('credits.reservation_not_found');
  const parts = divideReturn(charged, amount);
  for (const part of parts) await changeUse(tx, userId, part.source, -part.amount);
  if (isOfOthers) await raiseBucketVersion(tx, userId);
  const balance = await getBalance(tx, entry.plan, clock(), 'credits.reservation_not_found');
  const operationId = returnOperationId(reason, id);
  const returned = { operationId, reason, amount, requestedAmount: amount, parts, balance };
  await insertLedgerEntry(tx, { ...entry, ...returned, createdAt: clock() });
  const data = windowOf({ ...entry.plan, used: balance.used }, entry.plan.endsAt);
  const returning = { reservationId: id, amount, reason, committedAmount: committedAmount ?? null };
  await emit(tx, creditReleased, { subject: userId, data: { ...data, returned: returning }, clock });
  return balance;
};

/** Settles a reservation that is held. One whose contact had been paid for before holds nothing. */
const settle = async (
  tx: Tx,
  reserved: Reserved,
  { charged, reason, ...committed }: Settlement,
  clock: Clock,
): Promise<Reserved> => {
  const amount = reserved.held - charged;
  const balance =
    amount === 0
      ? await getBalance(tx, reserved.entry.plan, clock(), 'credits.reservation_not_found')
      : await reverseCharge(tx, reserved, { amount, reason, ...committed }, clock);
  const state = committed.committedAmount === undefined ? 'released' : 'committed';
  const settlement = { state, ...committed, ...storedBalance(balance) } as const;
  await updateReservation(tx, reserved.reservation.id, settlement);
  return { ...reserved, reservation: { ...reserved.reservation, ...settlement } };
};

/**
 * The response to the request that settled a reservation, and to those that repeat it: the balance that the settlement left. Once another
 * bucket of the plan is in force it is the balance with that one, since nothing can be charged to the bucket of the reservation any more.
 */
const presentSettlement = async (tx: Tx, settled: Reserved, now: Date): Promise<CreditsAmounts> => {
  const { reservation, entry } = settled;
  const { id, userId } = entry.plan;
  const current = await findCurrentBuckets(tx, userId, now);
  return current.isOpen && current.plan.id === id
    ? balanceAfter(reservation, limitOf(current.plan))
    : balanceOf(current.plan, current.others, now);
};

type ReservationKey = { userId: string; reservationId: string };

/**
 * Commits a reservation or a part of it, also after its expiry as long as it has not been released. The limit of `amount` is what was
 * requested, not what was charged, so a client need not know that its contact takes nothing.
 */
export const commitReservation = async (
  tx: Tx,
  { userId, reservationId, ...input }: ReservationKey & CommitInput,
  clock: Clock,
): Promise<ChargeResult> => {
  const reserved = await lockReserved(tx, userId, reservationId);
  if (reserved === null) throw createError('credits.reservation_not_found');
  const { reservation, entry, held } = reserved;
  const { requestedAmount } = entry;
  const { amount = requestedAmount } = input;
  if (amount > requestedAmount)
    throw createFieldError('request.invalid', 'amount', {
      message: `Please give at most the ${requestedAmount} that were reserved`,
    });
  if (reservation.state !== 'held') {
    if (reservation.committedAmount !== amount) throw createError('credits.reservation_ended');
    const charged = held - (await sumReturns(tx, userId, reservationId));
    return { ...(await presentSettlement(tx, reserved, clock())), charged };
  }
  // The commit charges what it costs beyond the present price of the contact.
  const contact = held === 0 ? null : contactOf(entry);
  const charged = contact
    ? await raisePrice(tx, contact, { amount, limit: held }, clock())
    : Math.min(amount, held);
  // What was paid before the reservation was not held, so a commit that charges still less found the contact paid since.
  const reason = charged < amount - (requestedAmount - held) ? 'already_paid' : 'unused';
  const settled = await settle(tx, reserved, { charged, reason, committedAmount: amount }, clock);
  return { ...(await presentSettlement(tx, settled, clock())), charged };
};

export const releaseReservation = async (
  tx: Tx,
  { userId, reservationId }: ReservationKey,
  clock: Clock,
): Promise<CreditsAmounts> => {
  const reserved = await lockReserved(tx, userId, reservationId);
  if (reserved === null) throw createError('credits.reservation_not_found');
  const { state } = reserved.reservation;
  if (state === 'committed') throw createError('credits.reservation_ended');
  const isHeld = state === 'held';
  const settled = isHeld ? await settle(tx, reserved, { charged: 0, reason: 'released' }, clock) : reserved;
  return presentSettlement(tx, settled, clock());
};

/** Returns false when the reservation was settled meanwhile. */
const expire = async (tx: Tx, { userId, id }: ReservationRow, clock: Clock): Promise<boolean> => {
  const reserved = await lockReserved(tx, userId, id);
  if (reserved?.reservation.state !== 'held') return false;
  await settle(tx, reserved, { charged: 0, reason: 'expired' }, clock);
  return true;
};

/** A reservation whose release failed is released again after this time, so that the ones behind it come first. */
const RETRY_SECONDS = 60;

/** Releases each in its own transaction, so that a failure does not affect the others. Returns how many this run has released. */
export const releaseExpired = async (
  db: Db,
  clock: Clock,
  log: Log,
  expired: readonly ReservationRow[],
): Promise<number> => {
  let released = 0;
  for (const reservation of expired)
    try {
      if (await inTransaction(db, (tx) => expire(tx, reservation, clock))) released += 1;
    } catch (error) {
      log.error({ err: error, reservation: reservation.id }, 'expired reservation not released');
      await postponeExpiry(db.manager, reservation.id, RETRY_SECONDS);
    }
  return released;
};
