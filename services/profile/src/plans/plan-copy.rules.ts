// The directory shows a person as premium until the last moment that anything paid or granted covers.
import type { Coverage, PlanState } from '@shortlist/contracts/plan';

const lastMoment = (coverage: Coverage | null): number =>
  coverage === null ? Number.NEGATIVE_INFINITY : new Date(coverage.graceUntil ?? coverage.end).getTime();

export const premiumUntil = ({ paid, granted }: PlanState): Date | null => {
  const until = Math.max(lastMoment(paid), lastMoment(granted));
  return Number.isFinite(until) ? new Date(until) : null;
};
