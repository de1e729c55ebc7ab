import type { CreditsAmounts, ReturnReason } from '@shortlist/contracts/api/credits';
import { creditReleased } from '@shortlist/contracts/events/credits';
import { type Db, inTransaction, type Tx } from '@shortlist/kit/data/db';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import type { Log } from '@shortlist/kit/process/log';
import { lockExistingAccount, raiseBucketVersion } from '../accounts/queries.ts';
import { balanceOf, divideReturn } from '../buckets/bucket.rules.ts';
import { findCurrentBuckets } from '../buckets/current-buckets.ts';
import { type PlanBucket, windowOf } from '../buckets/plan-bucket.rules.ts';
import { changeUse, findBalance } from '../buckets/queries.ts';
import {
  balanceAfter,
  findLedgerEntry,
  insertLedgerEntry,
  type LedgerEntry,
  listParts,
  returnOperationId,
  storedBalance,
} from '../ledger/queries.ts';
import { lockReservation, postponeExpiry, type ReservationRow, settleReservation } from './queries.ts';

/** A reservation with the entry of its charge. */
export type ReservedCredits = { reservation: ReservationRow; entry: LedgerEntry };

export const getReservedCredits = async (tx: Tx, reservation: ReservationRow): Promise<ReservedCredits> => {
  const entry = await findLedgerEntry(tx, reservation.userId, reservation.operationId);
  if (entry === null) throw createError('credits.reservation_not_found');
  return { reservation, entry };
};

/**
 * The response of a settlement: the balance that it left, also when it is repeated. Once another bucket of the plan is in force it is the
 * balance with that one, since nothing can be charged to the bucket of the reservation any more.
 */
export const presentSettlement = async (
  tx: Tx,
  { id, userId }: PlanBucket,
  balance: CreditsAmounts,
  now: Date,
): Promise<CreditsAmounts> => {
  const current = await findCurrentBuckets(tx, userId, now);
  return current.isOpen && current.plan.id === id ? balance : balanceOf(current.plan, current.others, now);
};

/** The response to a request that settled the reservation before. */
export const repeatSettlement = (
  tx: Tx,
  { reservation, entry: { plan } }: ReservedCredits,
  now: Date,
): Promise<CreditsAmounts> => {
  const after = { ...reservation, usedAfter: reservation.usedAfter ?? plan.used };
  return presentSettlement(tx, plan, balanceAfter(after, plan.credits), now);
};

/** The balance with the bucket of a reservation. Throws when a deletion has removed that. */
export const getBalance = async (tx: Tx, { plan }: LedgerEntry, now: Date): Promise<CreditsAmounts> => {
  const balance = await findBalance(tx, plan.id, now);
  if (balance === null) throw createError('credits.reservation_not_found');
  return balance;
};

/**
 * Returns credits to where they were charged, the part that was charged last first, with a ledger entry that reverses the charge, or a
 * part of it, and CreditReleased. What returns to a bucket that has ended, or to a pack that was refunded, counts nowhere else.
 */
export const reverseCharge = async (
  tx: Tx,
  { reservation: { id, userId }, entry }: ReservedCredits,
  { amount, reason }: { amount: number; reason: ReturnReason },
  clock: Clock,
): Promise<CreditsAmounts> => {
  const charged = await listParts(tx, entry);
  const isOfOthers = charged.some(({ position }) => position !== 0);
  if (isOfOthers && !(await lockExistingAccount(tx, userId)))
    throw createError('credits.reservation_not_found');
  const parts = divideReturn(charged, amount);
  for (const part of parts) await changeUse(tx, part.bucketId, -part.amount);
  if (isOfOthers) await raiseBucketVersion(tx, userId);
  const balance = await getBalance(tx, entry, clock());
  await insertLedgerEntry(tx, {
    userId,
    bucketId: entry.bucketId,
    operationId: returnOperationId(reason, id),
    amount,
    requestedAmount: amount,
    reason,
    reference: entry.reference,
    clientId: entry.clientId,
    balance,
    parts,
    createdAt: clock(),
  });
  const data = windowOf({ ...entry.plan, used: balance.used }, entry.plan.endsAt);
  await emit(tx, creditReleased, { subject: userId, data, clock });
  return balance;
};

/** Releases what a reservation holds, which the caller has locked. One whose contact had been paid for before holds nothing. */
export const releaseReserved = async (
  tx: Tx,
  reserved: ReservedCredits,
  reason: 'released' | 'expired',
  clock: Clock,
): Promise<CreditsAmounts> => {
  const amount = Math.abs(reserved.entry.amount);
  const balance =
    amount === 0
      ? await getBalance(tx, reserved.entry, clock())
      : await reverseCharge(tx, reserved, { amount, reason }, clock);
  await settleReservation(tx, reserved.reservation.id, { state: 'released', ...storedBalance(balance) });
  return balance;
};

/** A reservation whose release failed is released again after this time, so that the ones behind it come first. */
const RETRY_SECONDS = 60;

/** Returns false when the reservation was settled meanwhile. */
const releaseIfHeld = async (tx: Tx, { userId, id }: ReservationRow, clock: Clock): Promise<boolean> => {
  const reservation = await lockReservation(tx, userId, id);
  if (reservation?.state !== 'held') return false;
  await releaseReserved(tx, await getReservedCredits(tx, reservation), 'expired', clock);
  return true;
};

/**
 * Releases expired reservations, each in its own transaction, so that a failure does not affect the others. Concurrent runs release each
 * once. Returns how many it has released.
 */
export const releaseExpired = async (
  db: Db,
  clock: Clock,
  log: Log,
  expired: readonly ReservationRow[],
): Promise<number> => {
  let released = 0;
  for (const reservation of expired)
    try {
      if (await inTransaction(db, (tx) => releaseIfHeld(tx, reservation, clock))) released += 1;
    } catch (error) {
      log.error({ err: error, reservation: reservation.id }, 'expired reservation not released');
      await postponeExpiry(db.manager, reservation.id, RETRY_SECONDS);
    }
  return released;
};
