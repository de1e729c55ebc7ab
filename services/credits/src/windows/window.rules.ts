// A premium window covers a paid or granted period and its grace. A free window covers FREE_WINDOW_DAYS from the first
// charge. Free windows follow each other at intervals of that length, so a reset that is late or repeated opens the
// same window. Free and premium windows exist side by side, and neither changes the use of the other.
//
// A user is warned when no more is left than after LOW_PERCENT of a window's credits, and when nothing is, by the charge that makes it
// so. What is left counts in all buckets: nobody with a pack is short of credits. A charge that takes the last credit is the warning of an
// exhausted window alone, also when the window was not low before.
import { days } from '@shortlist/contracts/durations';
import { FREE_CREDITS, FREE_WINDOW_DAYS, PREMIUM_CREDITS } from '@shortlist/contracts/limits';
import { type Coverage, type Plan, planAt, type PlanState } from '@shortlist/contracts/plan';

/** `endsAt` is the time from which charges no longer count in it; `periodEnd` is the end that users see. */
export type NewWindow = {
  sourceKey: string;
  plan: Plan;
  limit: number;
  startsAt: Date;
  endsAt: Date;
  periodEnd: Date;
};

type Candidate = { sourceKey: string; plan: Plan; startsAt: Date };

const FREE_WINDOW_MS = days(FREE_WINDOW_DAYS);

export const premiumWindow = ({ key, start, end, graceUntil }: Coverage): NewWindow => ({
  sourceKey: key,
  plan: 'premium',
  limit: PREMIUM_CREDITS,
  startsAt: new Date(start),
  endsAt: new Date(graceUntil ?? end),
  periodEnd: new Date(end),
});

export const freeWindow = (startsAt: Date): NewWindow => {
  const endsAt = new Date(startsAt.getTime() + FREE_WINDOW_MS);
  return {
    sourceKey: `free:${startsAt.toISOString()}`,
    plan: 'free',
    limit: FREE_CREDITS,
    startsAt,
    endsAt,
    periodEnd: endsAt,
  };
};

/** The free window in force at `now` when the previous one ended at `previousEnd`. */
export const nextFreeWindow = (previousEnd: Date, now: Date): NewWindow => {
  const skipped = Math.max(0, Math.floor((now.getTime() - previousEnd.getTime()) / FREE_WINDOW_MS));
  return freeWindow(new Date(previousEnd.getTime() + skipped * FREE_WINDOW_MS));
};

/** The coverage whose window is in force at `now`; null when the free window is. */
export const coverageInForce = (state: PlanState, now: Date): Coverage | null => {
  const { plan, coverage } = planAt(state, now);
  return plan === 'premium' ? coverage : null;
};

/**
 * Of the windows that have not ended, the one that a charge counts in. A free window that starts in the future counts too: a
 * process whose clock is ahead opened it, and a charge must not be refused for that.
 */
export const windowInForce = <W extends Candidate>(windows: W[], coverage: Coverage | null): W | null => {
  if (coverage !== null) return windows.find(({ sourceKey }) => sourceKey === coverage.key) ?? null;
  const free = windows.filter(({ plan }) => plan === 'free');
  return free.reduce<W | null>(
    (newest, window) => (newest && newest.startsAt >= window.startsAt ? newest : window),
    null,
  );
};

/** Percent of a window's limit. */
export type Threshold = 80 | 100;

export const LOW_PERCENT = 80;
export const EXHAUSTED_PERCENT = 100;

/** The threshold that a charge of `amount` credits reaches, after which `left` are left in all buckets; null for none. */
export const thresholdReached = ({
  limit,
  left,
  amount,
}: {
  limit: number;
  left: number;
  amount: number;
}): Threshold | null => {
  if (left === 0) return EXHAUSTED_PERCENT;
  const low = limit - Math.ceil((limit * LOW_PERCENT) / 100);
  return left <= low && left + amount > low ? LOW_PERCENT : null;
};
