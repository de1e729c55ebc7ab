import type { EventType } from '@shortlist/contracts/events/define';
import { type PlanEndReason, planRevoked, subscriptionChanged } from '@shortlist/contracts/events/billing';
import { planAt, type PlanState, premiumUntil } from '@shortlist/contracts/plan';
import type { Clock } from '@shortlist/kit/process/clock';
import type { Tx } from '@shortlist/kit/data/db';
import { emit } from '@shortlist/kit/messaging/outbox';
import { sameProblem } from './problem.rules.ts';
import { type SubscriberRow, updateSubscriber } from './queries.ts';
import { endReason, sameCoverage } from './subscription.rules.ts';

type PlanColumns = Pick<SubscriberRow, 'paid' | 'granted'> & Partial<SubscriberRow>;
/** Emits an event of this change, with the plan state that the change leads to. */
export type EmitWithState = (planState: PlanState) => Promise<unknown>;

export const stateOf = ({ version, paid, granted }: SubscriberRow): PlanState => ({ version, paid, granted });

type Write = {
  current: SubscriberRow;
  columns: PlanColumns;
  by: string;
  reason: string;
  /** The events of the caller; without one, `writePlan` emits SubscriptionChanged for a change. */
  events: EmitWithState[];
  /** The reason in PlanRevoked if the change ends the plan before its time. */
  earlyEnd: PlanEndReason;
  clock: Clock;
};

/** A plan's problem counts: open pages show it. */
const differs = (before: SubscriberRow, { paid, granted, problem = before.problem }: PlanColumns): boolean =>
  !sameCoverage(before.paid, paid) ||
  !sameCoverage(before.granted, granted) ||
  !sameProblem(before.problem, problem);

const isPremium = (state: PlanState, now: Date): boolean => planAt(state, now).plan === 'premium';

/** Whether this write is the first after which the plan is free. A plan that ended by time is premium until its end is emitted. */
const endsNow = (current: SubscriberRow, after: PlanState, now: Date): boolean =>
  (current.planEndsAt !== null || isPremium(stateOf(current), now)) && !isPremium(after, now);

/** The end to be emitted; null for a free plan, whose end has been emitted. */
const planEndOf = (state: PlanState, now: Date): Date | null => {
  const until = premiumUntil(state);
  return until !== null && isPremium(state, now) ? new Date(until) : null;
};

/**
 * Writes a changed plan state under the next version and emits its events: those of the caller, then PlanRevoked if premium
 * ended, by this change or by time, or SubscriptionChanged if nothing else describes the change. A write without a change, an end
 * or an event keeps the version.
 */
export const writePlan = async (
  tx: Tx,
  { current, columns, by, reason, events, earlyEnd, clock }: Write,
): Promise<PlanState> => {
  const { userId: subject } = current;
  const now = clock();
  const before = stateOf(current);
  const { paid, granted } = columns;
  const changed = differs(current, columns);
  const ended = endsNow(current, { ...before, paid, granted }, now);
  const isNewVersion = changed || ended || events.length > 0;
  const planState: PlanState = { version: before.version + (isNewVersion ? 1 : 0), paid, granted };
  const { version } = planState;
  await updateSubscriber(tx, subject, { ...columns, version, planEndsAt: planEndOf(planState, now) });
  for (const emitWithState of events) await emitWithState(planState);
  if (ended) {
    const data = { by, reason: endReason(before, earlyEnd, now), planState };
    await emit(tx, planRevoked, { subject, data, clock });
  } else if (changed && events.length === 0) {
    await emit(tx, subscriptionChanged, { subject, data: { reason, planState }, clock });
  }
  return planState;
};

/** Prepares an event whose data lack only the plan state. */
export const withState =
  <Data extends { planState: PlanState }>(
    tx: Tx,
    event: EventType<Data>,
    { subject, data, clock }: { subject: string; data: Omit<Data, 'planState'>; clock: Clock },
  ): EmitWithState =>
  (planState) =>
    emit(tx, event, { subject, data: { ...data, planState } as Data, clock }); // TypeScript cannot rejoin Omit and a spread
