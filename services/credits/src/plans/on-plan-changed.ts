import type { CloudEvent } from '@shortlist/contracts/events/define';
import type { PlanState } from '@shortlist/contracts/plan';
import type { Clock } from '@shortlist/kit/process/clock';
import type { Tx } from '@shortlist/kit/data/db';
import { applyPlanState } from './apply-plan-state.ts';

/** Any billing fact: each carries the whole plan state. */
export const onPlanChanged =
  (clock: Clock) =>
  (tx: Tx, { subject, data }: CloudEvent<{ planState: PlanState }>): Promise<void> =>
    applyPlanState(tx, subject, { state: data.planState, clock });
