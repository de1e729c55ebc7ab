import type { CreditsAmounts } from '@shortlist/contracts/api/public';
import type { Clock } from '@shortlist/kit/clock';
import type { Tx } from '@shortlist/kit/db';
import { coded } from '@shortlist/kit/errors';
import { releaseContact } from '../spends/contacts.ts';
import { findEntry, insertLedgerEntry } from '../spends/queries.ts';
import { tellOfUse } from '../spends/spend-credit.ts';
import { findWindow, giveCreditBack } from '../windows/queries.ts';
import { type ReservationRow, settleReservation } from './queries.ts';

/**
 * Gives a held credit back to the window that it was taken from, with a ledger row of its own. Answers null when the hold was
 * settled before. A hold on a contact that was paid for already took nothing and gives nothing.
 */
export const releaseCredit = async (
  tx: Tx,
  { userId, operationId, id }: ReservationRow,
  { reason, clock }: { reason: 'released' | 'expired'; clock: Clock },
): Promise<CreditsAmounts | null> => {
  if (!(await settleReservation(tx, id, 'released'))) return null;
  const entry = await findEntry(tx, userId, operationId);
  const window = entry && (await findWindow(tx, entry.windowId));
  if (!entry || !window) throw coded('credits.reservation_not_found');
  const { limit } = window;
  if (entry.amount === 0) return { used: window.used, available: limit - window.used, limit };
  const used = await giveCreditBack(tx, window.id);
  await insertLedgerEntry(tx, {
    userId,
    windowId: window.id,
    operationId: `${reason}:${id}`,
    amount: -entry.amount,
    reason,
    reference: entry.reference,
    usedAfter: used,
    at: clock(),
  });
  await releaseContact(tx, userId, operationId);
  await tellOfUse(tx, { window: { ...window, shownEnd: window.endsAt }, used, clock });
  return { used, available: limit - used, limit };
};
