import { creditsReset } from '@shortlist/contracts/events/credits';
import type { Clock } from '@shortlist/kit/process/clock';
import type { Tx } from '@shortlist/kit/data/db';
import { createError } from '@shortlist/kit/process/errors';
import { emit } from '@shortlist/kit/messaging/outbox';
import { isDeleted } from '../plans/queries.ts';
import { findCurrentWindow } from './current-window.ts';
import { insertWindowIfAbsent, lockFreeCycle, setFreeDue } from './queries.ts';
import type { NewWindow } from './window.rules.ts';

/** Says that a window opened. */
export const tellOfReset = async (
  tx: Tx,
  userId: string,
  { window, clock }: { window: NewWindow; clock: Clock },
): Promise<void> => {
  const { plan, limit, startsAt, shownEnd } = window;
  const data = {
    plan,
    limit,
    used: 0,
    windowStart: startsAt.toISOString(),
    windowEnd: shownEnd.toISOString(),
  };
  await emit(tx, creditsReset, { subject: userId, data, clock });
};

/** Opens a window and says so; the second time the same one is asked for, nothing happens. */
export const openWindow = async (
  tx: Tx,
  userId: string,
  { window, clock }: { window: NewWindow; clock: Clock },
): Promise<boolean> => {
  if (!(await insertWindowIfAbsent(tx, userId, window))) return false;
  await tellOfReset(tx, userId, { window, clock });
  return true;
};

/**
 * Opens the window that the next spend would count in. First spends at the same moment come here together: the lock lets
 * one in, and the others find its window. Throws `credits.user_not_found` for somebody who is gone.
 */
export const openNextWindow = async (tx: Tx, userId: string, clock: Clock): Promise<void> => {
  await lockFreeCycle(tx, userId, clock());
  if (await isDeleted(tx, userId)) throw createError('credits.user_not_found');
  const { next } = await findCurrentWindow(tx, userId, clock());
  if (next === null) return;
  await openWindow(tx, userId, { window: next, clock });
  if (next.plan === 'free') await setFreeDue(tx, userId, next.endsAt);
};
