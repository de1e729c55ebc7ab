import type { CreditsAmounts } from '@shortlist/contracts/api/public';
import type { Clock } from '@shortlist/kit/process/clock';
import type { Tx } from '@shortlist/kit/data/db';
import { createError } from '@shortlist/kit/process/errors';
import { internalOperationId } from '../charges/operation-id.ts';
import { type Entry, findEntry, insertLedgerEntry } from '../charges/queries.ts';
import { tellOfUse } from '../charges/spend-credit.ts';
import { findWindow, returnCredit } from '../windows/queries.ts';
import type { WindowRow } from '../windows/window.entity.ts';
import type { ReservationRow } from './queries.ts';

/** A reservation, how it was charged, and the window in which that was counted. */
export type Charged = { reservation: ReservationRow; entry: Entry; window: WindowRow };

export const getCharged = async (tx: Tx, reservation: ReservationRow): Promise<Charged> => {
  const entry = await findEntry(tx, reservation.userId, reservation.operationId);
  const window = entry && (await findWindow(tx, entry.windowId));
  if (!entry || !window) throw createError('credits.reservation_not_found');
  return { reservation, entry, window };
};

export const amountsIn = ({ window: { used, limit } }: Charged): CreditsAmounts => ({
  used,
  available: limit - used,
  limit,
});

/** Gives a credit back to the window that it was taken from, with a ledger row that says why. */
export const reverseCharge = async (
  tx: Tx,
  { reservation: { id, userId }, entry, window }: Charged,
  { reason, clock }: { reason: 'released' | 'expired' | 'already_paid'; clock: Clock },
): Promise<CreditsAmounts> => {
  const { limit } = window;
  const used = await returnCredit(tx, window.id);
  await insertLedgerEntry(tx, {
    userId,
    windowId: window.id,
    operationId: internalOperationId(`${reason}:${id}`),
    amount: -entry.amount,
    reason,
    reference: entry.reference,
    usedAfter: used,
    at: clock(),
  });
  await tellOfUse(tx, { window: { ...window, shownEnd: window.endsAt }, used, clock });
  return { used, available: limit - used, limit };
};
