import type { EventType } from '@shortlist/contracts/events/define';
import { planRevoked, subscriptionChanged } from '@shortlist/contracts/events/billing';
import { planAt, type PlanState } from '@shortlist/contracts/plan';
import type { Clock } from '@shortlist/kit/process/clock';
import type { Tx } from '@shortlist/kit/data/db';
import { emit } from '@shortlist/kit/messaging/outbox';
import { updateSubscriber } from './queries.ts';
import type { SubscriberRow } from './subscriber.entity.ts';
import { sameCoverage } from './subscription.rules.ts';

type Change = Pick<SubscriberRow, 'paid' | 'granted'> & Partial<SubscriberRow>;
/** A fact about this change, given the plan state that it led to. */
export type Tell = (planState: PlanState) => Promise<unknown>;

export const stateOf = ({ version, paid, granted }: SubscriberRow): PlanState => ({ version, paid, granted });

type Write = {
  current: SubscriberRow;
  change: Change;
  by: string;
  reason: string;
  tell: Tell[];
  clock: Clock;
};

const turnsFree = (before: PlanState, after: PlanState, now: Date): boolean =>
  planAt(before, now).plan === 'premium' && planAt(after, now).plan === 'free';

const differs = (before: PlanState, { paid, granted }: Change): boolean =>
  !sameCoverage(before.paid, paid) || !sameCoverage(before.granted, granted);

/**
 * Writes a plan state that has changed under the next version and tells of it: what the caller knows first, and else that
 * premium has ended or that something about it has changed. Nothing new means nothing written and nothing told.
 */
export const writePlan = async (
  tx: Tx,
  { current, change, by, reason, tell, clock }: Write,
): Promise<PlanState> => {
  const { userId } = current;
  const before = stateOf(current);
  const changed = differs(before, change);
  const news = changed || tell.length > 0;
  const after: PlanState = {
    version: before.version + (news ? 1 : 0),
    paid: change.paid,
    granted: change.granted,
  };
  await updateSubscriber(tx, userId, { ...change, version: after.version });
  for (const one of tell) await one(after);
  const ended = turnsFree(before, after, clock());
  if (ended) await emit(tx, planRevoked, { subject: userId, data: { by, reason, planState: after }, clock });
  if (changed && !ended && tell.length === 0) {
    await emit(tx, subscriptionChanged, { subject: userId, data: { reason, planState: after }, clock });
  }
  return after;
};

/** Makes a `Tell` of a fact and its data without the plan state. */
export const telling =
  <Data extends { planState: PlanState }>(
    tx: Tx,
    event: EventType<Data>,
    { subject, data, clock }: { subject: string; data: Omit<Data, 'planState'>; clock: Clock },
  ): Tell =>
  (planState) =>
    emit(tx, event, { subject, data: { ...data, planState } as Data, clock }); // Omit and a spread are beyond the compiler here
