import type { Tx } from '@shortlist/kit/data/db';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import { lockFreeCycle, updateDueAt } from '../free-cycles/queries.ts';
import { isDeleted } from '../users/queries.ts';
import { findCurrentWindow } from './current-window.ts';
import { insertWindowIfAbsent } from './queries.ts';
import { emitReset } from './window-events.ts';
import type { NewWindow } from './window.rules.ts';

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
