import type { PlanState } from '@shortlist/contracts/plan';
import type { Tx } from '@shortlist/kit/db';
import { findNewestWindow, findWindowBySource } from './queries.ts';
import type { WindowRow } from './window.entity.ts';
import { type NewWindow, freeWindow, nextFreeWindow, premiumWindow, sourceInForce } from './window.rules.ts';

export type CurrentWindow = { open: WindowRow; next: null } | { open: null; next: NewWindow };

/** The window that counts at `now`: an open row, or the one that the next spend would open. */
export const findCurrentWindow = async (
  tx: Tx,
  userId: string,
  at: { state: PlanState; now: Date },
): Promise<CurrentWindow> => {
  const { state, now } = at;
  const coverage = sourceInForce(state, now);
  if (coverage !== null) {
    const open = await findWindowBySource(tx, userId, coverage.key);
    return open ? { open, next: null } : { open: null, next: premiumWindow(coverage) };
  }
  const free = await findNewestWindow(tx, userId, 'free');
  if (free === null) return { open: null, next: freeWindow(now) };
  return free.endsAt > now
    ? { open: free, next: null }
    : { open: null, next: nextFreeWindow(free.endsAt, now) };
};
