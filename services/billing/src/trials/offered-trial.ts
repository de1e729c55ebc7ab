import type { Tx } from '@shortlist/kit/data/db';
import { hasPaidPlan } from '../records/invoice-queries.ts';
import { hasSubscribed } from '../records/subscription-queries.ts';

/** `days`: of the trial that new subscribers get; 0 for none. */
export type TrialPolicy = { days: number };

/** The days of the trial that a subscription of this user would begin with; 0 for none. */
export const findTrialDays = async (tx: Tx, userId: string, { days }: TrialPolicy): Promise<number> => {
  if (days === 0) return 0;
  const isNew = !(await hasSubscribed(tx, userId)) && !(await hasPaidPlan(tx, userId));
  return isNew ? days : 0;
};
