import type { EventType } from '@shortlist/contracts/events/define';
import { planRevoked, subscriptionChanged } from '@shortlist/contracts/events/billing';
import { planAt, type PlanState } from '@shortlist/contracts/plan';
import type { Clock } from '@shortlist/kit/process/clock';
import type { Tx } from '@shortlist/kit/data/db';
import { emit } from '@shortlist/kit/messaging/outbox';
import { updateSubscriber } from './queries.ts';
import type { SubscriberRow } from './subscriber.entity.ts';
import { sameCoverage } from './subscription.rules.ts';

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
  clock: Clock;
};

const turnsFree = (before: PlanState, after: PlanState, now: Date): boolean =>
  planAt(before, now).plan === 'premium' && planAt(after, now).plan === 'free';

const differs = (before: PlanState, { paid, granted }: PlanColumns): boolean =>
  !sameCoverage(before.paid, paid) || !sameCoverage(before.granted, granted);

/**
 * Writes a changed plan state under the next version and emits its events: those of the caller, then PlanRevoked if premium
 * ended, or SubscriptionChanged if nothing else describes the change. An unchanged state emits nothing and keeps its version.
 */
export const writePlan = async (
  tx: Tx,
  { current, columns, by, reason, events, clock }: Write,
): Promise<PlanState> => {
  const { userId } = current;
  const before = stateOf(current);
  const changed = differs(before, columns);
  const after: PlanState = {
    version: before.version + (changed || events.length > 0 ? 1 : 0),
    paid: columns.paid,
    granted: columns.granted,
  };
  await updateSubscriber(tx, userId, { ...columns, version: after.version });
  for (const emitWithState of events) await emitWithState(after);
  const ended = turnsFree(before, after, clock());
  if (ended) await emit(tx, planRevoked, { subject: userId, data: { by, reason, planState: after }, clock });
  if (changed && !ended && events.length === 0) {
    await emit(tx, subscriptionChanged, { subject: userId, data: { reason, planState: after }, clock });
  }
  return after;
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
