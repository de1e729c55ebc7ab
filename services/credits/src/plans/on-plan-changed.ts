import type { CloudEvent } from '@shortlist/contracts/events/define';
import type { PlanState } from '@shortlist/contracts/plan';
import type { Tx } from '@shortlist/kit/data/db';
import type { Clock } from '@shortlist/kit/process/clock';
import { applyPlanState } from './apply-plan-state.ts';

/** Handles every billing event alike: each carries the whole plan state. */
export const onPlanChanged =
  (clock: Clock) =>
  (tx: Tx, { subject, data }: CloudEvent<{ planState: PlanState }>): Promise<void> =>
    applyPlanState(tx, subject, { state: data.planState, clock });
