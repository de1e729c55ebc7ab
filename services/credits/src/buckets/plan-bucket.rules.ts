// A premium bucket covers a paid or granted period and its grace, or one month of a period of several: each month of it has its credits, from
// the day of its start, or the last day of a shorter month. No bucket lasts longer than what is paid or granted. A month that begins while
// another period is in force opens when its own is, if that is before it ends. A free bucket covers FREE_WINDOW_DAYS from the first charge. Free buckets
// follow each other at intervals of that length, so a reset that is late or repeated opens the same bucket. Free and premium buckets exist
// side by side, and neither changes the use of the other. Events and responses call the period of a bucket its window.
//
// A charge warns the user when it leaves no more than remains after LOW_PERCENT of the plan's credits, and when it leaves nothing. What is
// left counts in all buckets: a user with a pack is not short of credits. A charge that takes the last credit warns only of the exhausted
// bucket, even if it was not low before.
import { days } from '@shortlist/contracts/durations';
import type { CreditWindowData } from '@shortlist/contracts/events/credits';
import { FREE_CREDITS, FREE_WINDOW_DAYS, PREMIUM_CREDITS } from '@shortlist/contracts/limits';
import {
  type Coverage,
  monthIndexAt,
  monthStarts,
  type Plan,
  planAt,
  type PlanState,
} from '@shortlist/contracts/plan';
import type { Bucket } from './bucket.entity.ts';
import { type NewBucket, newBucket } from './bucket.rules.ts';

/** `endsAt` is the time from which charges no longer count in it; users see `periodEndOf` it. */
export type NewPlanBucket = NewBucket & { kind: 'plan'; plan: Plan; endsAt: Date };
export type PlanBucket = NewPlanBucket & Bucket;

export const isPlanBucket = (bucket: Bucket): bucket is PlanBucket => bucket.kind === 'plan';

const FREE_WINDOW_MS = days(FREE_WINDOW_DAYS);
const PREMIUM = { kind: 'plan', plan: 'premium', credits: PREMIUM_CREDITS } as const;
const FREE = { kind: 'plan', plan: 'free', credits: FREE_CREDITS } as const;

/** The month of a coverage in force at `now`, as a coverage of its own, whose key is that of the whole for the first month. */
export const monthOf = (coverage: Coverage, now: Date): Coverage => {
  const { key, end, graceUntil, withdrawn } = coverage;
  const starts = monthStarts(coverage);
  const index = monthIndexAt(coverage, now);
  const next = starts[index + 1];
  const isLast = next === undefined || next >= new Date(end);
  return {
    key: index === 0 ? key : `${key}:${index}`,
    start: (starts[index] ?? new Date(coverage.start)).toISOString(),
    end: isLast ? end : next.toISOString(),
    graceUntil: isLast ? graceUntil : null,
    ...(withdrawn?.month === index && { withdrawn }),
  };
};

/** How many of the credits of a bucket refunds have left. */
export const usableOf = (credits: number, withdrawn: Coverage['withdrawn']): number =>
  Math.max(0, credits - (withdrawn?.credits ?? 0));

/** What a refund took back cannot be charged; what was charged before stays charged. */
export const premiumBucket = (
  userId: string,
  { key, start, end, graceUntil, withdrawn }: Coverage,
): NewPlanBucket => {
  const endsAt = new Date(graceUntil ?? end);
  const usable = usableOf(PREMIUM.credits, withdrawn);
  return newBucket({ ...PREMIUM, userId, source: key, startsAt: new Date(start), endsAt, usable });
};

export const freeBucket = (userId: string, startsAt: Date): NewPlanBucket => {
  const endsAt = new Date(startsAt.getTime() + FREE_WINDOW_MS);
  return newBucket({ ...FREE, userId, source: `free:${startsAt.toISOString()}`, startsAt, endsAt });
};

/** The free bucket in force at `now` when the previous one ended at `previousEnd`. */
export const nextFreeBucket = (userId: string, previousEnd: Date, now: Date): NewPlanBucket => {
  const skipped = Math.max(0, Math.floor((now.getTime() - previousEnd.getTime()) / FREE_WINDOW_MS));
  return freeBucket(userId, new Date(previousEnd.getTime() + skipped * FREE_WINDOW_MS));
};

/** The coverage in force at `now`; null on the free plan. A payment for the time after a grant leaves the months of the grant in force. */
export const coverageInForce = (state: PlanState, now: Date): Coverage | null => {
  const { plan, coverage } = planAt(state, now);
  if (plan === 'free' || coverage === null) return null;
  const { granted } = state;
  const end = granted && new Date(granted.end);
  return end !== null && end > now && new Date(coverage.start) >= end ? granted : coverage;
};

/** The month whose bucket is in force at `now`; null when the free one is. */
export const monthInForce = (state: PlanState, now: Date): Coverage | null => {
  const coverage = coverageInForce(state, now);
  return coverage && monthOf(coverage, now);
};

/** Whether buckets of a plan open as time passes: one for each month of several, or of a period that another one leaves in force. */
export const opensLater = ({ paid, granted }: PlanState): boolean =>
  (paid !== null && granted !== null) || (paid ?? granted)?.months !== undefined;

/** When the next month of a plan begins or comes into force; null without one. */
export const nextMonthAt = (state: PlanState, now: Date): Date | null => {
  if (!opensLater(state)) return null;
  const current = monthInForce(state, now)?.key;
  const changes = [state.paid, state.granted]
    .filter((coverage) => coverage !== null)
    .flatMap((coverage) => [...monthStarts(coverage), new Date(coverage.graceUntil ?? coverage.end)])
    .filter((at) => at > now)
    .toSorted((one, other) => one.getTime() - other.getTime());
  const isNew = (month: Coverage | null): boolean => month !== null && month.key !== current;
  return changes.find((at) => isNew(monthInForce(state, at))) ?? null;
};

/** Whether a month of a plan opens now: the one in force, and the first of any period that has begun. */
export const opensNow = (state: PlanState, { key, start }: Coverage, now: Date): boolean => {
  const isFirst = key === state.paid?.key || key === state.granted?.key;
  return key === monthInForce(state, now)?.key || (isFirst && new Date(start) <= now);
};

/** A free bucket that starts in the future counts too: a process whose clock is ahead opened it, and charges must not be refused for that. */
export const planInForce = (buckets: readonly PlanBucket[], coverage: Coverage | null): PlanBucket | null => {
  if (coverage !== null) return buckets.find(({ source }) => source === coverage.key) ?? null;
  const free = buckets.filter(({ plan }) => plan === 'free');
  return free.toSorted((one, other) => one.startsAt.getTime() - other.startsAt.getTime()).at(-1) ?? null;
};

/** The end that users see: the period of a premium bucket ends with its month or coverage, or with the grace after it. */
export const periodEndOf = ({ plan, endsAt }: NewPlanBucket, state: PlanState, now: Date): Date => {
  const month = monthInForce(state, now);
  if (plan === 'free' || month === null) return endsAt;
  const end = new Date(month.end);
  return end > now ? end : new Date(month.graceUntil ?? end);
};

export const windowOf = (
  { plan, credits, used, startsAt }: NewPlanBucket,
  periodEnd: Date,
): CreditWindowData => ({
  plan,
  limit: credits,
  used,
  windowStart: startsAt.toISOString(),
  windowEnd: periodEnd.toISOString(),
});

// Percent of the plan's credits.
export const LOW_PERCENT = 80;
export const EXHAUSTED_PERCENT = 100;
export type Threshold = typeof LOW_PERCENT | typeof EXHAUSTED_PERCENT;

/** The threshold that a charge of `amount` credits reaches, after which `left` are left in all buckets; null for none. */
export const thresholdReached = (limit: number, left: number, amount: number): Threshold | null => {
  if (left === 0) return EXHAUSTED_PERCENT;
  const low = limit - Math.ceil((limit * LOW_PERCENT) / 100);
  return left <= low && left + amount > low ? LOW_PERCENT : null;
};
