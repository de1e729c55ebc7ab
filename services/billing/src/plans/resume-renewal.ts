import type { PlanState } from '@shortlist/contracts/plan';
import { createError } from '@shortlist/kit/process/errors';
import {
  applyWithLease,
  readWithLease,
  type RefreshParts,
  withChanges,
} from '../refresh/refresh-subscriber.ts';
import { findSubscriber } from '../subscriptions/queries.ts';
import { isOngoing } from '../subscriptions/subscription.rules.ts';
import { recordRenewal } from './end-renewal.ts';
import { type Cause, originOf, withReason, withSubscriber } from './grant-plan.ts';

const REASONS = { admin: 'resumed by an admin', user: 'resumed by the user' } as const;

/**
 * Makes a subscription renew again that is set to end, and is charged at the end of its period from then on. Throws
 * `billing.renewal_not_stopped` unless there is one. `version`: that of the plan when its renewal was stopped; a later one may be the user's own
 * decision, against which the subscription must not be charged again.
 */
export const resumeRenewal = (
  parts: RefreshParts,
  userId: string,
  { caller, reason, version }: Cause & { version?: number | undefined },
): Promise<PlanState> => {
  const origin = originOf(caller, REASONS);
  return withSubscriber(parts, userId, async (_stored, lease) => {
    // The subscription may have ended, or been resumed in the portal, since it was stored.
    const first = await readWithLease(parts, lease);
    const before = await applyWithLease(parts, lease, { ...origin, reading: first });
    if (version !== undefined && before.version !== version) throw createError('billing.plan_changed');
    const current = await findSubscriber(parts.db.manager, userId);
    const { subscriptionId = null, subscriptionStatus = null, renews = false } = current ?? {};
    if (subscriptionId === null || renews || !isOngoing(subscriptionStatus))
      throw createError('billing.renewal_not_stopped');
    const resumed = await parts.stripe.resumeRenewal(subscriptionId);
    if (resumed === null) throw createError('billing.renewal_not_stopped');
    const changed = await withChanges(parts, first, [resumed]);
    const after = await applyWithLease(parts, lease, { ...origin, reading: changed });
    const states = { before, after: withReason(after, reason) };
    await recordRenewal(parts, { action: 'plan.resume', targetId: userId, ...states, caller });
    return after;
  });
};
