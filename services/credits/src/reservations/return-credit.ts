import type { CreditsAmounts } from '@shortlist/contracts/api/credits';
import type { ReturnReason } from '@shortlist/contracts/schemas/credits';
import { type Db, inTransaction, type Tx } from '@shortlist/kit/data/db';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import type { Log } from '@shortlist/kit/process/log';
import { divideReturn, type Division } from '../buckets/bucket.rules.ts';
import { changeUse, insertLedgerParts, listParts, sumUsable } from '../buckets/queries.ts';
import {
  findLedgerEntry,
  insertLedgerEntry,
  type LedgerEntry,
  returnOperationId,
} from '../ledger/queries.ts';
import { amountsIn, emitReleased, findCurrentWindow } from '../windows/credit-window.ts';
import {
  findWindow,
  lockExistingAccount,
  raiseBucketVersion,
  returnCredits,
  type WindowRow,
} from '../windows/queries.ts';
import {
  listExpired,
  listExpiredOf,
  lockReservation,
  postponeExpiry,
  type ReservationRow,
  settleReservation,
} from './queries.ts';

/** A reservation with its ledger entry and the window in which it was charged. */
export type ReservedCredits = { reservation: ReservationRow; entry: LedgerEntry; window: WindowRow };

export const getReservedCredits = async (tx: Tx, reservation: ReservationRow): Promise<ReservedCredits> => {
  const entry = await findLedgerEntry(tx, reservation.userId, reservation.operationId);
  const window = entry && (await findWindow(tx, entry.windowId));
  if (!entry || !window) throw createError('credits.reservation_not_found');
  return { reservation, entry, window };
};

/** The use of the window after a change, and what is available beside it. */
export type After = Pick<LedgerEntry, 'bucketsAfter'> & { usedAfter: number };

/**
 * The response of a settlement: what it left, also when it is repeated. Once another window is in force it says what that one and the
 * buckets have, since nothing can be charged to the window of the reservation any more.
 */
export const amountsOf = async (
  tx: Tx,
  { id, userId, limit }: WindowRow,
  { after: { usedAfter, bucketsAfter }, clock }: { after: After; clock: Clock },
): Promise<CreditsAmounts> => {
  const current = await findCurrentWindow(tx, userId, clock());
  if (current.open?.id !== id) return amountsIn(current);
  return { used: usedAfter, available: limit - usedAfter + bucketsAfter, limit };
};

/** The response to a request that settled the reservation before. */
export const settledAmountsOf = (
  tx: Tx,
  { reservation, window }: ReservedCredits,
  clock: Clock,
): Promise<CreditsAmounts> => {
  const after = { ...reservation, usedAfter: reservation.usedAfter ?? window.used };
  return amountsOf(tx, window, { after, clock });
};

type Unchanged = { reserved: ReservedCredits; clock: Clock };

/** The amounts after a settlement that returns nothing. */
export const unchangedAmounts = async (tx: Tx, { reserved, clock }: Unchanged): Promise<After> => ({
  usedAfter: reserved.window.used,
  bucketsAfter: await sumUsable(tx, reserved.window.userId, clock()),
});

/** How a return divides. Locks the account when a bucket is part of it; throws when a deletion has removed that meanwhile. */
const lockDivision = async (
  tx: Tx,
  { entry: { id, userId, amount: charged } }: ReservedCredits,
  amount: number,
): Promise<Division> => {
  const parts = await listParts(tx, id);
  if (parts.length === 0) return { inWindow: amount, parts };
  if ((await lockExistingAccount(tx, userId)) === null) throw createError('credits.reservation_not_found');
  const inParts = parts.reduce((sum, part) => sum + part.amount, 0);
  return divideReturn({ inWindow: -charged - inParts, parts }, amount);
};

const returnToBuckets = async (tx: Tx, userId: string, { parts }: Division): Promise<void> => {
  if (parts.length === 0) return;
  await changeUse(tx, userId, { parts, sign: -1 });
  await raiseBucketVersion(tx, userId);
};

type Return = { amount: number; reason: ReturnReason; clock: Clock };

/**
 * Returns credits to where they were charged, the part that was charged last first, with a ledger entry that reverses the charge, or a
 * part of it, and CreditReleased. What returns to a window or a grant that has ended, or to a pack that was refunded, counts nowhere else.
 */
export const reverseCharge = async (
  tx: Tx,
  reserved: ReservedCredits,
  { amount, reason, clock }: Return,
): Promise<After> => {
  const { reservation, entry, window } = reserved;
  const { id, userId } = reservation;
  const division = await lockDivision(tx, reserved, amount);
  await returnToBuckets(tx, userId, division);
  const used = await returnCredits(tx, window.id, division.inWindow);
  const after = { usedAfter: used, bucketsAfter: await sumUsable(tx, userId, clock()) };
  const entryId = await insertLedgerEntry(tx, {
    userId,
    windowId: window.id,
    operationId: returnOperationId(reason, id),
    amount,
    requestedAmount: amount,
    reason,
    reference: entry.reference,
    clientId: entry.clientId,
    ...after,
    createdAt: clock(),
  });
  await insertLedgerParts(tx, { entryId, userId, parts: division.parts, sign: 1 });
  await emitReleased(tx, { window: { ...window, periodEnd: window.endsAt }, used, clock });
  return after;
};

type Cause = { reason: 'released' | 'expired'; clock: Clock };

/** Releases what a reservation holds, which the caller has locked. One whose contact had been paid for before holds nothing. */
export const releaseReserved = async (tx: Tx, reserved: ReservedCredits, cause: Cause): Promise<After> => {
  const { amount } = reserved.entry;
  const after =
    amount === 0
      ? await unchangedAmounts(tx, { reserved, clock: cause.clock })
      : await reverseCharge(tx, reserved, { amount: -amount, ...cause });
  await settleReservation(tx, reserved.reservation.id, { state: 'released', ...after });
  return after;
};

type Parts = { db: Db; clock: Clock; log: Log };

/** A reservation whose release failed is released again after this time, so that the ones behind it come first. */
const RETRY_SECONDS = 60;

/** Returns false when the reservation was settled meanwhile. */
const releaseIfHeld = async (tx: Tx, { userId, id }: ReservationRow, clock: Clock): Promise<boolean> => {
  const reservation = await lockReservation(tx, userId, id);
  if (reservation?.state !== 'held') return false;
  await releaseReserved(tx, await getReservedCredits(tx, reservation), { reason: 'expired', clock });
  return true;
};

/** Releases a reservation in its own transaction, so that a failure does not affect the others. */
const releaseOne = async ({ db, clock, log }: Parts, reservation: ReservationRow): Promise<boolean> => {
  try {
    return await inTransaction(db, (tx) => releaseIfHeld(tx, reservation, clock));
  } catch (error) {
    log.error({ err: error, reservation: reservation.id }, 'expired reservation not released');
    await postponeExpiry(db.manager, reservation.id, RETRY_SECONDS);
    return false;
  }
};

const releaseAll = async (parts: Parts, expired: ReservationRow[]): Promise<number> => {
  let released = 0;
  for (const reservation of expired) if (await releaseOne(parts, reservation)) released += 1;
  return released;
};

/** Releases a chunk of expired reservations. Concurrent runs release each once. */
export const releaseExpired = async (
  parts: Parts,
  limit: number,
): Promise<{ released: number; more: boolean }> => {
  const expired = await listExpired(parts.db.manager, limit);
  return { released: await releaseAll(parts, expired), more: expired.length === limit };
};

export const releaseExpiredOf = async (parts: Parts, userId: string): Promise<number> =>
  releaseAll(parts, await listExpiredOf(parts.db.manager, userId));
