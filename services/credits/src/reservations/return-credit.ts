import type { CreditsAmounts } from '@shortlist/contracts/api/credits';
import { type Db, inTransaction, type Tx } from '@shortlist/kit/data/db';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import type { Log } from '@shortlist/kit/process/log';
import { contactKey } from '../contacts/contact-key.rules.ts';
import { deleteContactOfOperation } from '../contacts/queries.ts';
import {
  findLedgerEntry,
  insertLedgerEntry,
  type LedgerEntry,
  returnOperationId,
  type ReturnReason,
} from '../ledger/queries.ts';
import { emitReleased } from '../windows/credit-window.ts';
import { findWindow, returnCredit, type WindowRow } from '../windows/queries.ts';
import {
  listExpired,
  listExpiredOf,
  postponeExpiry,
  type ReservationRow,
  settleReservation,
} from './queries.ts';

/** A reservation with its ledger entry and the window in which it was charged. */
type ReservedCredit = { reservation: ReservationRow; entry: LedgerEntry; window: WindowRow };

export const getReservedCredit = async (tx: Tx, reservation: ReservationRow): Promise<ReservedCredit> => {
  const entry = await findLedgerEntry(tx, reservation.userId, reservation.operationId);
  const window = entry && (await findWindow(tx, entry.windowId));
  if (!entry || !window) throw createError('credits.reservation_not_found');
  return { reservation, entry, window };
};

export const amountsOf = ({ window: { used, limit } }: ReservedCredit): CreditsAmounts => ({
  used,
  available: limit - used,
  limit,
});

/** Returns the credit to the window it was charged in, with a ledger entry that reverses the charge and CreditReleased. */
export const reverseCharge = async (
  tx: Tx,
  { reservation: { id, userId }, entry, window }: ReservedCredit,
  { reason, clock }: { reason: ReturnReason; clock: Clock },
): Promise<CreditsAmounts> => {
  const { limit } = window;
  const used = await returnCredit(tx, window.id);
  await insertLedgerEntry(tx, {
    userId,
    windowId: window.id,
    operationId: returnOperationId(reason, id),
    amount: -entry.amount,
    reason,
    reference: entry.reference,
    usedAfter: used,
    createdAt: clock(),
  });
  await emitReleased(tx, { window: { ...window, periodEnd: window.endsAt }, used, clock });
  return { used, available: limit - used, limit };
};

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

type Parts = { db: Db; clock: Clock; log: Log };

/** A reservation whose release failed is released again after this time, so that the ones behind it come first. */
const RETRY_SECONDS = 60;

/** Releases a reservation in its own transaction, so that a failure does not affect the others. */
const releaseOne = async ({ db, clock, log }: Parts, reservation: ReservationRow): Promise<boolean> => {
  try {
    const amounts = await inTransaction(db, (tx) =>
      releaseCredit(tx, reservation, { reason: 'expired', clock }),
    );
    return amounts !== null;
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
