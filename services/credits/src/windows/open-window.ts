import {
  creditReleased,
  creditsExhausted,
  creditsReset,
  creditsSpent,
  type CreditWindowData,
} from '@shortlist/contracts/events/credits';
import type { Tx } from '@shortlist/kit/data/db';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import { isDeleted } from '../ledger/account-queries.ts';
import { findCurrentWindow } from './current-window.ts';
import { lockFreeCycle, updateDueAt } from './free-cycle-queries.ts';
import { insertExhaustedWindowIfAbsent, insertWindowIfAbsent, type WindowRow } from './queries.ts';
import type { NewWindow } from './window.rules.ts';

type WindowState = Pick<WindowRow, 'plan' | 'limit' | 'startsAt'> & { periodEnd: Date };
type ChangedWindow = WindowState & Pick<WindowRow, 'id' | 'userId'>;
type Use = { window: ChangedWindow; used: number; clock: Clock };

const dataOf = ({ plan, limit, startsAt, periodEnd }: WindowState, used: number): CreditWindowData => ({
  plan,
  limit,
  used,
  windowStart: startsAt.toISOString(),
  windowEnd: periodEnd.toISOString(),
});

export const emitReset = async (
  tx: Tx,
  userId: string,
  { window, clock }: { window: NewWindow; clock: Clock },
): Promise<void> => {
  await emit(tx, creditsReset, { subject: userId, data: dataOf(window, 0), clock });
};

/** Emits CreditsSpent, and CreditsExhausted the first time the window's last credit is charged. */
export const emitCharged = async (tx: Tx, { window, used, clock }: Use): Promise<void> => {
  const { id, userId: subject, limit } = window;
  const event = { subject, data: dataOf(window, used), clock };
  await emit(tx, creditsSpent, event);
  if (used === limit && (await insertExhaustedWindowIfAbsent(tx, subject, id)))
    await emit(tx, creditsExhausted, event);
};

export const emitReleased = async (tx: Tx, { window, used, clock }: Use): Promise<void> => {
  await emit(tx, creditReleased, { subject: window.userId, data: dataOf(window, used), clock });
};

/** Opens a window and emits CreditsReset. Returns false, with nothing written, when its source has opened one before. */
export const openWindow = async (
  tx: Tx,
  userId: string,
  { window, clock }: { window: NewWindow; clock: Clock },
): Promise<boolean> => {
  if (!(await insertWindowIfAbsent(tx, userId, window))) return false;
  await emitReset(tx, userId, { window, clock });
  return true;
};

/**
 * Opens the window that the next charge counts in. Concurrent first charges of a user wait for the lock and find the window that
 * the first of them has opened. Throws `credits.user_not_found` for a deleted user.
 */
export const openNextWindow = async (tx: Tx, userId: string, clock: Clock): Promise<void> => {
  await lockFreeCycle(tx, userId, clock());
  if (await isDeleted(tx, userId)) throw createError('credits.user_not_found');
  const { next } = await findCurrentWindow(tx, userId, clock());
  if (next === null) return;
  await openWindow(tx, userId, { window: next, clock });
  if (next.plan === 'free') await updateDueAt(tx, userId, next.endsAt);
};
