/**
 * A period that makes a person premium. `key` names what paid for it (an invoice id, or the id of an admin's
 * grant) and is what makes one grant of credits per payment possible. Times are ISO 8601 in UTC.
 */
export type Coverage = { key: string; start: string; end: string; graceUntil: string | null };

/**
 * All that billing knows about a person's plan. `version` grows by one with each change, so that a hearer can tell
 * an older state from a newer one. What was paid and what an admin granted stand side by side: neither erases the other.
 */
export type PlanState = { version: number; paid: Coverage | null; granted: Coverage | null };

export type Plan = 'premium' | 'free';

/** The plan at one moment. `coverage` is the period in force, or the latest one that has ended. */
export type PlanNow = { plan: Plan; coverage: Coverage | null; endsAt: string | null };

export const NO_PLAN: PlanState = { version: 0, paid: null, granted: null };

const lastMoment = (coverage: Coverage): string => coverage.graceUntil ?? coverage.end;

// What is paid for counts at once: the provider dates the start by its own clock, and while that is ahead of ours nobody who
// has paid may be free for those seconds.
const covers = (coverage: Coverage | null, now: Date): coverage is Coverage =>
  coverage !== null && now < new Date(lastMoment(coverage));

/** The one that lasts longer; the first when they last equally long. */
export const laterOf = (one: Coverage | null, other: Coverage | null): Coverage | null => {
  if (one === null || other === null) return one ?? other;
  return new Date(lastMoment(one)) >= new Date(lastMoment(other)) ? one : other;
};

/**
 * Premium exactly until the end of what is paid or granted; the paid one counts first, because its credits were
 * bought. A period whose renewal is being collected covers until its grace ends. Source: spec.md §4, S7.
 */
export const planAt = (state: PlanState, now: Date): PlanNow => {
  const inForce = [state.paid, state.granted].find((coverage) => covers(coverage, now)) ?? null;
  const coverage = inForce ?? laterOf(state.paid, state.granted);
  const endsAt = coverage && (new Date(coverage.end) > now ? coverage.end : lastMoment(coverage));
  return { plan: inForce ? 'premium' : 'free', coverage, endsAt };
};
