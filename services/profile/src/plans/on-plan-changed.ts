import type { Fact } from '@shortlist/contracts/events/define';
import type { PlanState } from '@shortlist/contracts/plan';
import type { Tx } from '@shortlist/kit/db';
import { keepPlan } from './keep-plan.ts';

/** Any billing fact: each carries the whole plan state. */
export const onPlanChanged = (tx: Tx, { subject, data }: Fact<{ planState: PlanState }>): Promise<void> =>
  keepPlan(tx, subject, data.planState);
