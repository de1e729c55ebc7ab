// Remembers the window of each user's last charge, so that the next charge does not read it. An entry may be stale: the UPDATE
// that takes the credit tests the plan's version and the window's end, and a charge that it refuses reads the window again.
import type { PlanState } from '@shortlist/contracts/plan';
import type { WindowRow } from './window.entity.ts';

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
