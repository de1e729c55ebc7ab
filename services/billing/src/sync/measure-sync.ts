import type { Db } from '@shortlist/kit/data/db';
import { type Clock, withTimeout } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import type { Metrics } from '@shortlist/kit/process/metrics';
import {
  inboxAge,
  inboxEvents,
  reconciliationFailures,
  reconciliationRepairs,
  reconciliationRuns,
} from '../metrics.ts';
import { countUnsettled, findOldestUnsettled } from './queries.ts';
import type { Reconciled } from './reconcile-subscriptions.ts';
import type { Limits } from './refresh-subscriber.ts';

/** Adds the events of Stripe that wait, and for how long, to the metrics. */
export const measureInbox = (metrics: Metrics, { db, clock }: { db: Db; clock: Clock }): void => {
  metrics.gaugeBy(inboxEvents, async () => {
    const counts = await countUnsettled(db.manager);
    return [
      [{ status: 'pending' }, counts.pending],
      [{ status: 'failed' }, counts.failed],
    ] as const;
  });
  metrics.gauge(inboxAge, async () => {
    const oldest = await findOldestUnsettled(db.manager);
    return oldest === null ? 0 : Math.max(0, (clock().getTime() - oldest.getTime()) / 1_000);
  });
};

/** Returns a function that counts the result of a reconciliation and passes it on. */
export const countReconciled = (metrics: Metrics): ((result: Reconciled) => Reconciled) => {
  const runs = metrics.counter(reconciliationRuns);
  const repairs = metrics.counter(reconciliationRepairs);
  const failures = metrics.counter(reconciliationFailures);
  return (result) => {
    runs.inc();
    repairs.inc(result.repaired.length);
    failures.inc(result.failed);
    return result;
  };
};

/** Below the ten seconds in which a request must get a response (F9), however many calls to Stripe it makes. */
export const DEADLINE_MS = 9_000;

/**
 * Waits for an action nine seconds at most. The action itself continues under its lease, and a repeated request finds its result.
 * Throws `billing.provider_unavailable`.
 */
export const withDeadline = <T>(
  action: Promise<T>,
  { limits = {} }: { limits?: Limits | undefined },
): Promise<T> =>
  withTimeout(action, limits.deadlineMs ?? DEADLINE_MS, () =>
    createError('billing.provider_unavailable', { retryAfterSeconds: 5 }),
  );
