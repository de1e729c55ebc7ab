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
import { withSubscriber } from './grant-plan.ts';

const ORIGIN = { by: 'user', reason: 'resumed by the user' } as const;

/**
 * Makes a subscription renew again that is set to end, and is charged at the end of its period from then on. Throws
 * `billing.renewal_not_stopped` unless there is one.
 */
export const resumeRenewal = (parts: RefreshParts, userId: string): Promise<PlanState> =>
  withSubscriber(parts, userId, async (_stored, lease) => {
    // The subscription may have ended, or been resumed in the portal, since it was stored.
    const before = await readWithLease(parts, lease);
    await applyWithLease(parts, lease, { ...ORIGIN, reading: before });
    const current = await findSubscriber(parts.db.manager, userId);
    const { subscriptionId = null, subscriptionStatus = null, renews = false } = current ?? {};
    if (subscriptionId === null || renews || !isOngoing(subscriptionStatus))
      throw createError('billing.renewal_not_stopped');
    const resumed = await parts.stripe.resumeRenewal(subscriptionId);
    if (resumed === null) throw createError('billing.renewal_not_stopped');
    const after = await withChanges(parts, before, [resumed]);
    return applyWithLease(parts, lease, { ...ORIGIN, reading: after });
  });
