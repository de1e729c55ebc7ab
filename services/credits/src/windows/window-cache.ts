// Which window a person's last spend counted in, so that the next one need not look. A hint is never trusted: the UPDATE that
// takes the credit holds it against the plan's version and the window's own end, and who is refused by it looks again.
import type { PlanState } from '@shortlist/contracts/plan';
import type { WindowRow } from './window.entity.ts';

type CachedWindow = { state: PlanState; window: WindowRow };
export type WindowCache = {
  get: (userId: string) => CachedWindow | undefined;
  keep: (userId: string, cached: CachedWindow) => void;
};

const MOST = 10_000;

export const createWindowCache = (): WindowCache => {
  const held = new Map<string, CachedWindow>();
  return {
    get: (userId) => held.get(userId),
    keep: (userId, cached) => {
      const oldest = held.size < MOST ? undefined : held.keys().next().value;
      if (oldest !== undefined) held.delete(oldest);
      held.set(userId, cached);
    },
  };
};
