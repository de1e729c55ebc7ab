import type { CreditsAmounts } from '@shortlist/contracts/api/public';
import type { Tx } from '@shortlist/kit/data/db';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import type { LedgerEntry } from '../ledger/ledger-entry.entity.ts';
import { internalOperationId } from '../ledger/operation-id.ts';
import { findLedgerEntry, insertLedgerEntry } from '../ledger/queries.ts';
import { findWindow, returnCredit } from '../windows/queries.ts';
import { emitReleased } from '../windows/window-events.ts';
import type { WindowRow } from '../windows/window.entity.ts';
import type { ReservationRow } from './reservation.entity.ts';

/** A reservation with its ledger entry and the window in which it was charged. */
export type ReservedCredit = { reservation: ReservationRow; entry: LedgerEntry; window: WindowRow };

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
    createdAt: clock(),
  });
  await emitReleased(tx, { window: { ...window, periodEnd: window.endsAt }, used, clock });
  return { used, available: limit - used, limit };
};
