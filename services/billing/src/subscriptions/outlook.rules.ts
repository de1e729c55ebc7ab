// What becomes of a premium plan without a further action. A paid period that has a grace is renewed by Stripe at its end; once that
// end has passed, the plan lasts only while the renewal is being collected. Without a grace the period runs out. A grant runs out
// too, and it may outlast a paid period.
import type { PlanOutlook } from '@shortlist/contracts/api/public';
import { laterOf, planAt, type PlanState, premiumUntil } from '@shortlist/contracts/plan';

type Premium = Pick<PlanState, 'paid' | 'granted'>;

/** The end of premium if the paid period is not renewed. */
const unrenewedEnd = ({ paid, granted }: Premium): string =>
  laterOf(paid && { ...paid, graceUntil: null }, granted)?.end ?? '';

/** The outlook of the plan at `now`; null for a free plan. */
export const outlookOf = (state: PlanState, now: Date): PlanOutlook | null => {
  const { plan, coverage } = planAt(state, now);
  if (plan === 'free' || coverage === null) return null;
  if (coverage.key === state.granted?.key) return { continuation: 'granted', premiumUntil: coverage.end };
  if (new Date(coverage.end) <= now)
    return { continuation: 'collecting', premiumUntil: premiumUntil(state) ?? coverage.end };
  const continuation = coverage.graceUntil === null ? 'ends' : 'renews';
  return { continuation, premiumUntil: unrenewedEnd(state) };
};
