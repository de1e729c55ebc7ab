import type { Fact } from '@shortlist/contracts/events/define';
import type { PlanState } from '@shortlist/contracts/plan';
import type { Tx } from '@shortlist/kit/db';
import { isDeleted } from '../profiles/queries.ts';
import { premiumUntil } from './plan-copy.rules.ts';
import { keepEarlyPlan, updatePlanCopy } from './queries.ts';

/** Any billing fact: each carries the whole plan state, and an older one than we hold changes nothing. */
export const onPlanChanged = async (
  tx: Tx,
  { subject, data }: Fact<{ planState: PlanState }>,
): Promise<void> => {
  const copy = { version: data.planState.version, premiumUntil: premiumUntil(data.planState) };
  if (await updatePlanCopy(tx, subject, copy)) return;
  if (!(await isDeleted(tx, subject))) await keepEarlyPlan(tx, subject, copy);
};
