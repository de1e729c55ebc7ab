import Joi from 'joi';
import { billingEndpoints } from '@shortlist/contracts/api/billing';
import { userId } from '@shortlist/contracts/schemas/text';
import { type UnsubscribeInput, unsubscribeRules } from '@shortlist/contracts/schemas/admin';
import { inTransaction } from '@shortlist/kit/data/db';
import type { Router } from '@shortlist/kit/http/router';
import { insertSubscriberIfAbsent } from '../subscriptions/queries.ts';
import { type ReadParts, readSubscription } from '../subscriptions/read-subscription.ts';
import { withDeadline } from '../sync/deadline.ts';
import type { SyncParts } from '../sync/event-action.ts';
import type { RefreshParts } from '../sync/refresh-subscriber.ts';
import { endDuePlans } from './end-due-plans.ts';
import { endRenewal } from './end-renewal.ts';
import { grantPlan } from './grant-plan.ts';
import { revokePlan } from './revoke-plan.ts';

type ForUser = { userId: string };
const forUser = Joi.object<ForUser, true>({ userId });
const userDetails = forUser.append<ForUser & { email: string; name: string }>({
  email: Joi.string().max(254).required(),
  name: Joi.string().max(210).required(),
});

const revocation = forUser.append<ForUser & UnsubscribeInput>(unsubscribeRules);

export const addPlanEndpoints = (router: Router, parts: RefreshParts & ReadParts): void => {
  router.add(billingEndpoints.grantPlan, {
    roles: ['admin'],
    input: userDetails,
    handle: async ({ input, caller }) => {
      await inTransaction(parts.db, async (tx) => {
        await insertSubscriberIfAbsent(tx, input);
        await grantPlan(tx, input.userId, { caller, clock: parts.clock });
      });
      return readSubscription(parts, input.userId);
    },
  });

  // A user ends the plan with the account.
  router.add(billingEndpoints.revokePlan, {
    roles: ['user', 'admin'],
    input: revocation,
    owner: (input) => input.userId,
    handle: async ({ input: { userId: id, when, reason }, caller }) => {
      const end = when === 'period_end' ? endRenewal : revokePlan;
      await withDeadline(end(parts, id, { caller, reason }), parts);
      return readSubscription(parts, id);
    },
  });
};

/** The action of a maintenance job, with the long timeouts towards Stripe. */
export const addPlanMaintenanceEndpoints = (router: Router, parts: SyncParts): void => {
  router.add(billingEndpoints.endDuePlans, {
    roles: ['service'],
    input: Joi.object<Record<never, never>>({}),
    handle: () => endDuePlans(parts),
  });
};
