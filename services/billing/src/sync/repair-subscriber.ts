import { findSubscriber, listByCustomers } from '../subscriptions/queries.ts';
import type { SubscriberRow } from '../subscriptions/subscriber.entity.ts';
import type { SyncParts } from './event-action.ts';
import { changesOf } from './reconcile.rules.ts';
import { refreshSubscriber } from './refresh-subscriber.ts';

export type Reconciled = { checked: number; failed: number; repaired: { userId: string; what: string }[] };
/** One run of reconciliation; the steps add to its result. */
export type Run = SyncParts & { result: Reconciled };

const ORIGIN = { by: 'reconciliation', reason: 'reconciliation', waitMs: 2_000 };

/** Refreshes one subscriber and records what changed. Returns false when the refresh failed; the run continues. */
export const repairSubscriber = async (
  { result, ...parts }: Run,
  before: SubscriberRow,
): Promise<boolean> => {
  const { userId } = before;
  try {
    await refreshSubscriber(parts, userId, ORIGIN);
  } catch (error) {
    result.failed += 1;
    parts.log.warn({ err: error, userId }, 'subscriber not reconciled');
    return false;
  }
  const after = await findSubscriber(parts.db.manager, userId);
  const what = after ? changesOf(before, after) : '';
  if (what !== '') result.repaired.push({ userId, what });
  return true;
};

/** Returns the customers whose refresh succeeded. */
export const repairCustomers = async (run: Run, customerIds: string[]): Promise<Set<string | null>> => {
  const refreshed = new Set<string | null>();
  for (const subscriber of await listByCustomers(run.db.manager, [...new Set(customerIds)])) {
    if (await repairSubscriber(run, subscriber)) refreshed.add(subscriber.customerId);
  }
  return refreshed;
};
