import type { PlanState } from '@shortlist/contracts/plan';
import type { Tx } from '@shortlist/kit/data/db';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Clock } from '@shortlist/kit/process/clock';
import type { NextPlan } from './plan.rules.ts';
import { updateSubscriber } from './queries.ts';

/** Writes the next plan of a subscriber, whose row the caller has locked, and emits its events. Returns the new state. */
export const writePlan = async (
  tx: Tx,
  { userId: subject, planState, columns, events }: NextPlan,
  clock: Clock,
): Promise<PlanState> => {
  await updateSubscriber(tx, subject, columns);
  for (const { type, data } of events) await emit(tx, type, { subject, data: { ...data, planState }, clock });
  return planState;
};
