import type { CloudEvent } from '@shortlist/contracts/events/define';
import type { PlanState } from '@shortlist/contracts/plan';
import type { Tx } from '@shortlist/kit/data/db';
import { storePlan } from './store-plan.ts';

/** Handles every billing event alike: each carries the whole plan state. */
export const onPlanChanged = (
  tx: Tx,
  { subject, data }: CloudEvent<{ planState: PlanState }>,
): Promise<void> => storePlan(tx, subject, data.planState);
