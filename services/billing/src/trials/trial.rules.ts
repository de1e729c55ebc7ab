// Which subscriptions of a customer must show that their trial is the first: those that began with one and have charged nothing since. One that
// has charged is left as it is, whatever is known of its trial.
import type { CustomerSnapshot, TrialSnapshot } from '../stripe/snapshot.ts';

export type TrialToCheck = {
  id: string;
  trial: TrialSnapshot;
  startedAt: Date;
  /** Whether the customer had no subscription of the plan before it. */
  isFirst: boolean;
  isLive: boolean;
};

/** Oldest first, so that of two the first is the one that goes on. */
export const trialsToCheck = ({ subscriptions, invoices }: CustomerSnapshot): TrialToCheck[] => {
  const oldestFirst = subscriptions.toSorted(
    (one, other) => one.startedAt.getTime() - other.startedAt.getTime() || (one.id < other.id ? -1 : 1),
  );
  return oldestFirst.flatMap(({ id, trial, startedAt, endedAt, isTrialRefused }) => {
    const hasCharged = invoices.some(
      ({ subscriptionId, status, isTrial }) => subscriptionId === id && status === 'paid' && !isTrial,
    );
    if (trial === null || isTrialRefused || hasCharged) return [];
    const isFirst = oldestFirst.every((other) => other.startedAt >= startedAt);
    return [{ id, trial, startedAt, isFirst, isLive: endedAt === null }];
  });
};
