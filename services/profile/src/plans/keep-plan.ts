import type { PlanState } from '@shortlist/contracts/plan';
import type { Tx } from '@shortlist/kit/data/db';
import { copyPlanToTerms } from '../directory/terms.ts';
import { isDeleted } from '../profiles/queries.ts';
import { premiumUntil } from './plan-copy.rules.ts';
import { keepEarlyPlan, updatePlanCopy } from './queries.ts';

/** Keeps the copy of a plan unless a newer one is held. */
export const storePlan = async (tx: Tx, userId: string, planState: PlanState): Promise<void> => {
  const copy = { version: planState.version, premiumUntil: premiumUntil(planState) };
  if (await updatePlanCopy(tx, userId, copy)) return copyPlanToTerms(tx, userId);
  if (!(await isDeleted(tx, userId))) await keepEarlyPlan(tx, userId, copy);
};
