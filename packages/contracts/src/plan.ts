import { monthsAfter } from './durations.ts';
import { UNSUBSCRIBE_REASON_MAX } from './limits.ts';
import * as rule from './schemas/validation.ts';

/** For how long the plan is paid at once. */
export const INTERVALS = ['month', 'year'] as const;
export type Interval = (typeof INTERVALS)[number];

/** What refunds of a part of the payment took back of the credits of one month, which is counted from 0; nothing of the other months. */
const withdrawn = rule.view({ month: rule.count, credits: rule.count.min(1) });

/**
 * A period of premium. `key`: the id of an invoice or a grant, so that credits are added once for each. `months`: how many were paid or granted at
 * once, each with its credits; one if it is missing. `end` may be earlier than theirs. Times are in UTC.
 */
const coverage = rule.view({
  key: rule.nonEmptyText,
  start: rule.time,
  end: rule.time,
  graceUntil: rule.nullable(rule.time),
  months: rule.mayLack(rule.count.min(2)),
  withdrawn: rule.mayLack(withdrawn),
});
export type Coverage = rule.TypeOf<typeof coverage>;

/** `version` grows with each change. The paid and the granted period are independent: neither replaces the other. */
export const planStateSchema = rule.view({
  version: rule.amount,
  paid: rule.nullable(coverage),
  granted: rule.nullable(coverage),
});
export type PlanState = rule.TypeOf<typeof planStateSchema>;

export const PLANS = ['premium', 'free'] as const;
export type Plan = (typeof PLANS)[number];

/** When each month of a coverage begins. */
export const monthStarts = ({ start, months = 1 }: Pick<Coverage, 'start' | 'months'>): Date[] =>
  Array.from({ length: months }, (_, index) => monthsAfter(new Date(start), index));

/** The month of a coverage that a time is in, counted from 0: the first one before its start, the last one after its end. */
export const monthIndexAt = (coverage: Pick<Coverage, 'start' | 'end' | 'months'>, at: Date): number => {
  const begun = monthStarts(coverage).filter((start) => start <= at && start < new Date(coverage.end));
  return Math.max(0, begun.length - 1);
};

/** The apps that a plan includes. */
export const FEATURES = ['automation_agent', 'crm', 'browser_extension'] as const;
export type Feature = (typeof FEATURES)[number];

export const featuresOf = (plan: Plan): Feature[] => (plan === 'premium' ? [...FEATURES] : []);

/**
 * Why a payment for the plan has not gone through. `past_due`: a renewal could not be collected. `authentication`: the payer must confirm it (3-D
 * Secure). `processing`: the bank has not confirmed it yet. `incomplete`: the first payment failed or was not finished, and the user may buy
 * again. `paused`: the subscription collects nothing until it is resumed. `disputed`: the payer disputes a payment, and the bank has not decided.
 * `other_subscription`: the payer has another ongoing subscription: at a different price, or a second one of the plan.
 */
export const PAYMENT_PROBLEMS = [
  'past_due',
  'authentication',
  'processing',
  'incomplete',
  'paused',
  'disputed',
  'other_subscription',
] as const;
export type PaymentProblemKind = (typeof PAYMENT_PROBLEMS)[number];

/** The plan at one moment. `coverage` is the period in force, or the latest one that has ended. */
export type PlanNow = { plan: Plan; coverage: Coverage | null; endsAt: string | null };

export const NO_PLAN: PlanState = { version: 0, paid: null, granted: null };

const lastMoment = (coverage: Coverage): string => coverage.graceUntil ?? coverage.end;

// A period is in force even before its start: Stripe's clock may be seconds ahead, and a user who has paid must not be free in the meantime.
const isInForce = (coverage: Coverage | null, now: Date): coverage is Coverage =>
  coverage !== null && now < new Date(lastMoment(coverage));

/** The coverage that ends later; the first if both end at the same time. */
export const laterOf = (one: Coverage | null, other: Coverage | null): Coverage | null => {
  if (one === null || other === null) return one ?? other;
  return new Date(lastMoment(one)) >= new Date(lastMoment(other)) ? one : other;
};

/** When the plan becomes free unless it changes before; null without a paid or granted period. */
export const premiumUntil = ({ paid, granted }: PlanState): string | null => {
  const last = laterOf(paid, granted);
  return last && lastMoment(last);
};

/**
 * The plan at `now`: premium until the end of the paid or granted period. The paid period has precedence, because its credits were
 * bought. While Stripe collects a renewal, the period lasts until the end of its grace. Source: docs/product.md, S7.
 */
export const planAt = (state: PlanState, now: Date): PlanNow => {
  const inForce = [state.paid, state.granted].find((coverage) => isInForce(coverage, now)) ?? null;
  const coverage = inForce ?? laterOf(state.paid, state.granted);
  const endsAt = coverage && (new Date(coverage.end) > now ? coverage.end : lastMoment(coverage));
  return { plan: inForce ? 'premium' : 'free', coverage, endsAt };
};

/** `now` ends the plan at once; `period_end` lets the paid period run out and stops the renewal. */
const UNSUBSCRIBE_TIMES = ['now', 'period_end'] as const;
export type UnsubscribeTime = (typeof UNSUBSCRIBE_TIMES)[number];

/** How an admin ends a plan. Without `when` it ends now; `reason` is for the audit log. An empty body is valid. */
export const unsubscribeRules = {
  when: rule.mayLack(rule.oneOf(UNSUBSCRIBE_TIMES).messages(rule.oneMessage('Choose now or period_end'))),
  reason: rule.mayLack(
    rule.line({ required: 'Please enter a text' }, { max: UNSUBSCRIBE_REASON_MAX }).empty(''),
  ),
};
export type UnsubscribeInput = rule.TypeOf<typeof unsubscribeRules>;

/** How an admin grants premium: until `grantEndAt` of plan-months.ts. `reason` is for the audit log. An empty body is valid. */
export const grantRules = { until: rule.mayLack(rule.time), reason: unsubscribeRules.reason };
export type GrantInput = rule.TypeOf<typeof grantRules>;
