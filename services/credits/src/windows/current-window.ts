import { planAt, type PlanState } from '@shortlist/contracts/plan';
import type { Tx } from '@shortlist/kit/data/db';
import { findNewestWindow, listOpenWindows } from './queries.ts';
import type { WindowRow } from './window.entity.ts';
import {
  type NewWindow,
  freeWindow,
  nextFreeWindow,
  premiumWindow,
  sourceInForce,
  windowInForce,
} from './window.rules.ts';

/** A window row, when its owner may expect new credits, and the plan by which it was chosen. */
export type OpenWindow = WindowRow & { shownEnd: Date; planVersion: number };
/** What counts at a moment: an open row, or the window that the next spend would open. */
export type CurrentWindow = { open: OpenWindow; next: null } | { open: null; next: NewWindow };
type At = { state: PlanState; now: Date };

/** A window as it is at a moment: a premium one's new credits come with its period, or else with the end of the grace. */
export const openAt = (window: WindowRow, { state, now }: At): OpenWindow => {
  const end = window.plan === 'premium' ? planAt(state, now).endsAt : null;
  return { ...window, planVersion: state.version, shownEnd: end === null ? window.endsAt : new Date(end) };
};

/** The free window that comes after those which a person has had, or their first. */
const findNextFreeWindow = async (tx: Tx, userId: string, now: Date): Promise<NewWindow> => {
  const last = await findNewestWindow(tx, userId, 'free');
  return last === null ? freeWindow(now) : nextFreeWindow(last.endsAt, now);
};

/** The plan state that we hold and the window that counts at `now`. One read when the window is open. */
export const findCurrentWindow = async (
  tx: Tx,
  userId: string,
  now: Date,
): Promise<CurrentWindow & { state: PlanState }> => {
  const { state, windows } = await listOpenWindows(tx, userId, now);
  const coverage = sourceInForce(state, now);
  const open = windowInForce(windows, coverage);
  if (open !== null) return { open: openAt(open, { state, now }), next: null, state };
  const next = coverage ? premiumWindow(coverage) : await findNextFreeWindow(tx, userId, now);
  return { open: null, next, state };
};
