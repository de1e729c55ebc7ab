// The plan of a user: the next state after a change, and the events that report it. Each change raises the version, so that consumers
// recognise an older state. A change is a new period (paid or granted), a new problem, an end, or an event such as a payment. The end of
// premium is reported once, whether caused by a change or by time: until then `planEndsAt` is stored.
import type { PaymentProblem } from '@shortlist/contracts/api/billing';
import type { PlanContinuation } from '@shortlist/contracts/api/profile';
import {
  type PlanEndReason,
  planRevoked,
  subscriptionChanged,
  type WithPlanState,
} from '@shortlist/contracts/events/billing';
import type { EventType } from '@shortlist/contracts/events/define';
import { type Coverage, laterOf, planAt, type PlanState, premiumUntil } from '@shortlist/contracts/plan';
import { grantMonths } from '@shortlist/contracts/plan-months';
import { nextVersion } from '@shortlist/kit/data/version.rules';
import type { NextPlan, PlanEvent, SubscriberRow } from './queries.ts';

export const stateOf = ({ version, paid, granted }: SubscriberRow): PlanState => ({ version, paid, granted });

const GRANT_KEY = 'grant:';

export const grantKey = (id: string): string => `${GRANT_KEY}${id}`;

/** Premium from `now` until `end`, granted by an admin. `id` makes the key unique, so that credits are added once per grant. */
export const grantCoverage = (id: string, now: Date, end: Date): Coverage => {
  const months = grantMonths(now, end);
  return {
    key: grantKey(id),
    start: now.toISOString(),
    end: end.toISOString(),
    graceUntil: null,
    ...(months > 1 && { months }),
  };
};

/** The grant with its end at `now`; an expired grant is returned unchanged. */
export const endGrant = (granted: Coverage | null, now: Date): Coverage | null =>
  granted === null || new Date(granted.end) <= now ? granted : { ...granted, end: now.toISOString() };

/** Why a plan ended: by time if its end has passed, otherwise for the `early` reason. */
export const endReason = (before: PlanState, early: PlanEndReason, now: Date): PlanEndReason => {
  const until = premiumUntil(before);
  if (until === null || new Date(until) > now) return early;
  const last = laterOf(before.paid, before.granted);
  if (last?.key.startsWith(GRANT_KEY)) return 'grant_end';
  return last?.graceUntil ? 'grace_end' : 'period_end';
};

const coverageParts = (coverage: Coverage | null): unknown[] => [
  coverage?.key,
  coverage?.start,
  coverage?.end,
  coverage?.graceUntil,
  coverage?.months,
  coverage?.withdrawn?.month,
  coverage?.withdrawn?.credits,
];

const isSameCoverage = (one: Coverage | null, other: Coverage | null): boolean => {
  const parts = coverageParts(other);
  return coverageParts(one).every((part, index) => part === parts[index]);
};

/**
 * The parts by which problems differ. Stripe may return a different URL for the same page each time, so only its presence counts. A problem
 * from before problems had a time differs from one with it, so that an event updates the directory.
 */
const problemParts = ({ kind, amount, currency, payUrl, since }: PaymentProblem): unknown[] => [
  kind,
  amount,
  currency,
  Boolean(payUrl),
  Boolean(since),
];

const isSameProblem = (one: PaymentProblem | null, other: PaymentProblem | null): boolean => {
  if (one === null || other === null) return one === other;
  const parts = problemParts(other);
  return problemParts(one).every((part, index) => part === parts[index]);
};

export const planEvent = <Data extends WithPlanState>(
  type: EventType<Data>,
  data: Omit<Data, keyof WithPlanState>,
): PlanEvent => ({ type, data });

export type PlanChange = {
  columns: Pick<SubscriberRow, 'paid' | 'granted'> & Partial<SubscriberRow>;
  by: string;
  reason: string;
  /** Events that describe the change, such as a payment; without any, SubscriptionChanged describes it. */
  events: readonly PlanEvent[];
  /** The reason in PlanRevoked if the change ends the plan before its time. */
  earlyEnd: PlanEndReason;
};

export const isPremium = (state: PlanState, now: Date): boolean => planAt(state, now).plan === 'premium';

/** Includes the problem, because open pages show it. */
const differs = (
  before: SubscriberRow,
  { paid, granted, problem = before.problem }: PlanChange['columns'],
): boolean =>
  !isSameCoverage(before.paid, paid) ||
  !isSameCoverage(before.granted, granted) ||
  !isSameProblem(before.problem, problem);

/** The kind of the problem after a change. */
const kindAfter = (
  before: SubscriberRow,
  { problem = before.problem }: PlanChange['columns'],
): PaymentProblem['kind'] | null => problem && problem.kind;

/** Whether the plan becomes free with this change. A plan that ended by time counts as premium until its end is emitted. */
const endsNow = (current: SubscriberRow, after: PlanState, now: Date): boolean =>
  (current.planEndsAt !== null || isPremium(stateOf(current), now)) && !isPremium(after, now);

/** The end to emit; null for a free plan, whose end has been emitted. */
const planEndOf = (state: PlanState, now: Date): Date | null => {
  const until = premiumUntil(state);
  return until !== null && isPremium(state, now) ? new Date(until) : null;
};

/**
 * The next state of a plan and its events: those of the change, then PlanRevoked if premium ended (by this change or by time), or
 * SubscriptionChanged if nothing else describes the change. Without a change, an end or an event, the version stays the same.
 */
export const nextPlan = (
  current: SubscriberRow,
  { columns, by, reason, events, earlyEnd }: PlanChange,
  now: Date,
): NextPlan => {
  const before = stateOf(current);
  const { paid, granted } = columns;
  const changed = differs(current, columns);
  const ended = endsNow(current, { ...before, paid, granted }, now);
  const version = changed || ended || events.length > 0 ? nextVersion(before.version, now) : before.version;
  const planState = { version, paid, granted };
  const ends = ended ? [planEvent(planRevoked, { by, reason: endReason(before, earlyEnd, now) })] : [];
  const isUndescribed = changed && !ended && events.length === 0;
  return {
    userId: current.userId,
    planState,
    problem: kindAfter(current, columns),
    columns: { ...columns, version, planEndsAt: planEndOf(planState, now) },
    events: [...events, ...ends, ...(isUndescribed ? [planEvent(subscriptionChanged, { reason })] : [])],
  };
};

// How a premium plan continues without further action. Stripe renews a paid period with a grace at its end; after that, the plan lasts only
// while the renewal is being collected. Without a grace, the plan ends with the period. A grant also ends, possibly after a paid period.

type Premium = Pick<PlanState, 'paid' | 'granted'>;

/** The end of premium if the paid period is not renewed. */
const unrenewedEnd = ({ paid, granted }: Premium): string =>
  laterOf(paid && { ...paid, graceUntil: null }, granted)?.end ?? '';

/** How the plan continues after `now`; null for a free plan. */
export const continuationOf = (state: PlanState, now: Date): PlanContinuation | null => {
  const { plan, coverage } = planAt(state, now);
  if (plan === 'free' || coverage === null) return null;
  if (coverage.key === state.granted?.key) return { continuation: 'granted', premiumUntil: coverage.end };
  if (new Date(coverage.end) <= now)
    return { continuation: 'collecting', premiumUntil: premiumUntil(state) ?? coverage.end };
  const continuation = coverage.graceUntil === null ? 'ends' : 'renews';
  return { continuation, premiumUntil: unrenewedEnd(state) };
};
