import type { PlanState } from '@shortlist/contracts/plan';
import type { Tx } from '@shortlist/kit/data/db';
import { upsertOlderEarlyPlan } from '../early-plans/queries.ts';
import { findProfile, updateOlderPlanCopy } from '../profiles/queries.ts';
import { updatePlanOfTerms } from '../terms/queries.ts';
import { isDeleted } from '../users/queries.ts';
import { premiumUntilOf } from './plan-copy.rules.ts';

/** Stores the directory's copy of a plan unless a newer one is stored. */
export const storePlan = async (tx: Tx, userId: string, planState: PlanState): Promise<void> => {
  const copy = { planVersion: planState.version, premiumUntil: premiumUntilOf(planState) };
  // The UPDATE locks the row, so the profile that is read after it has the newest copy.
  const profile = (await updateOlderPlanCopy(tx, userId, copy)) ? await findProfile(tx, userId) : null;
  if (profile) await updatePlanOfTerms(tx, profile);
  else if (!(await isDeleted(tx, userId))) await upsertOlderEarlyPlan(tx, { userId, ...copy });
};
