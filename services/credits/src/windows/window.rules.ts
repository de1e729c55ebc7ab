// A premium window is a paid or granted period: 500 credits until its last moment, which for a period whose renewal is being
// collected is the end of the grace. A free window is thirty days: 20 credits, begun by the first spend. When it runs out the next
// one follows on the same thirty-day beat, so that a reset which comes late, or twice, opens the very same window. Free and
// premium stand side by side: neither touches what the other has left.
import { FREE_CREDITS, FREE_WINDOW_DAYS, PREMIUM_CREDITS } from '@shortlist/contracts/limits';
import { type Coverage, type Plan, planAt, type PlanState } from '@shortlist/contracts/plan';

/** `endsAt` is the last moment at which a spend counts in it; `shownEnd` is when new credits are to be expected. */
export type NewWindow = {
  sourceKey: string;
  plan: Plan;
  limit: number;
  startsAt: Date;
  endsAt: Date;
  shownEnd: Date;
};

type Candidate = { sourceKey: string; plan: Plan; startsAt: Date };

const FREE_WINDOW_MS = FREE_WINDOW_DAYS * 86_400_000;

export const premiumWindow = ({ key, start, end, graceUntil }: Coverage): NewWindow => ({
  sourceKey: key,
  plan: 'premium',
  limit: PREMIUM_CREDITS,
  startsAt: new Date(start),
  endsAt: new Date(graceUntil ?? end),
  shownEnd: new Date(end),
});

export const freeWindow = (startsAt: Date): NewWindow => {
  const endsAt = new Date(startsAt.getTime() + FREE_WINDOW_MS);
  return {
    sourceKey: `free:${startsAt.toISOString()}`,
    plan: 'free',
    limit: FREE_CREDITS,
    startsAt,
    endsAt,
    shownEnd: endsAt,
  };
};

/** The free window in force at `now` when the previous one ended at `previousEnd`. */
export const nextFreeWindow = (previousEnd: Date, now: Date): NewWindow => {
  const gone = Math.max(0, Math.floor((now.getTime() - previousEnd.getTime()) / FREE_WINDOW_MS));
  return freeWindow(new Date(previousEnd.getTime() + gone * FREE_WINDOW_MS));
};

/** What opened the window that a spend at `now` counts in: a period's key, or null for the free one. */
export const sourceInForce = (state: PlanState, now: Date): Coverage | null => {
  const { plan, coverage } = planAt(state, now);
  return plan === 'premium' ? coverage : null;
};

/**
 * Of the windows that have not ended, the one that a spend counts in. A free one that begins later than `now` counts too: it
 * was opened by a clock that is ahead of ours, and nobody is refused for that.
 */
export const windowInForce = <W extends Candidate>(windows: W[], coverage: Coverage | null): W | null => {
  if (coverage !== null) return windows.find(({ sourceKey }) => sourceKey === coverage.key) ?? null;
  const free = windows.filter(({ plan }) => plan === 'free');
  return free.reduce<W | null>((best, one) => (best && best.startsAt >= one.startsAt ? best : one), null);
};
