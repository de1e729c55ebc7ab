// The directory shows a user as premium until the last end of all that is paid or granted, grace included.
import type { Coverage, PlanState } from '@shortlist/contracts/plan';

const endOf = (coverage: Coverage | null): number =>
  coverage === null ? Number.NEGATIVE_INFINITY : new Date(coverage.graceUntil ?? coverage.end).getTime();

export const premiumUntilOf = ({ paid, granted }: PlanState): Date | null => {
  const until = Math.max(endOf(paid), endOf(granted));
  return Number.isFinite(until) ? new Date(until) : null;
};
