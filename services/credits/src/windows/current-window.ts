import { planAt, type PlanState } from '@shortlist/contracts/plan';
import type { Tx } from '@shortlist/kit/data/db';
import { findNewestWindow, listOpenWindows, type WindowRow } from './queries.ts';
import {
  coverageInForce,
  freeWindow,
  type NewWindow,
  nextFreeWindow,
  premiumWindow,
  windowInForce,
} from './window.rules.ts';

/** A window with the end that users see, and the plan version by which it was selected. */
export type OpenWindow = WindowRow & { periodEnd: Date; planVersion: number };
/** An open window, or the window that the next charge opens. */
export type CurrentWindow = { open: OpenWindow; next: null } | { open: null; next: NewWindow };
type PlanAt = { state: PlanState; now: Date };

/** Adds the plan's view at `now`: the period of a premium window ends with its coverage, or with the grace after it. */
export const openAt = (window: WindowRow, { state, now }: PlanAt): OpenWindow => {
  const end = window.plan === 'premium' ? planAt(state, now).endsAt : null;
  return { ...window, planVersion: state.version, periodEnd: end === null ? window.endsAt : new Date(end) };
};

const findNextFreeWindow = async (tx: Tx, userId: string, now: Date): Promise<NewWindow> => {
  const last = await findNewestWindow(tx, userId, 'free');
  return last === null ? freeWindow(now) : nextFreeWindow(last.endsAt, now);
};

/** The stored plan state and the window in force at `now`. One read when the window is open. */
export const findCurrentWindow = async (
  tx: Tx,
  userId: string,
  now: Date,
): Promise<CurrentWindow & { state: PlanState }> => {
  const { state, windows } = await listOpenWindows(tx, userId, now);
  const coverage = coverageInForce(state, now);
  const open = windowInForce(windows, coverage);
  if (open !== null) return { open: openAt(open, { state, now }), next: null, state };
  const next = coverage ? premiumWindow(coverage) : await findNextFreeWindow(tx, userId, now);
  return { open: null, next, state };
};

// Remembers the window of each user's last charge, so that the next charge does not read it. An entry may be stale: the UPDATE
// that takes the credit tests the plan's version and the window's end, and a charge that it refuses reads the window again.

type CachedWindow = { state: PlanState; window: WindowRow };
export type WindowCache = {
  get: (userId: string) => CachedWindow | undefined;
  set: (userId: string, cached: CachedWindow) => void;
};

const CAPACITY = 10_000;

/** Creates a cache that drops its oldest entry when it is full. */
export const createWindowCache = (): WindowCache => {
  const entries = new Map<string, CachedWindow>();
  return {
    get: (userId) => entries.get(userId),
    set: (userId, cached) => {
      const oldest = entries.size < CAPACITY ? undefined : entries.keys().next().value;
      if (oldest !== undefined) entries.delete(oldest);
      entries.set(userId, cached);
    },
  };
};
