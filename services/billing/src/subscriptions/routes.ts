import Joi from 'joi';
import { billingEndpoints } from '@shortlist/contracts/api/billing';
import { userId } from '@shortlist/contracts/schemas/text';
import { inTransaction } from '@shortlist/kit/data/db';
import type { Router } from '@shortlist/kit/http/router';
import { createError } from '@shortlist/kit/process/errors';
import { confirmCheckout } from '../checkout/confirm-checkout.ts';
import { type CheckoutParts, openCheckout } from '../checkout/open-checkout.ts';
import { grantPlan } from './grant-plan.ts';
import { inTime } from './in-time.ts';
import { findSubscriber, insertSubscriberIfAbsent } from './queries.ts';
import { readSubscription } from './read-subscription.ts';
import { revokePlan } from './revoke-plan.ts';

type ForUser = { userId: string };
const forUser = Joi.object<ForUser, true>({ userId });
type Person = ForUser & { email: string; name: string };
const person = forUser.append<Person>({
  email: Joi.string().max(254).required(),
  name: Joi.string().max(210).required(),
});
const owner = (input: ForUser): string => input.userId;
const providerId = Joi.string()
  .pattern(/^[A-Za-z0-9_]{1,100}$/)
  .required();

const addUserRoutes = (router: Router, parts: CheckoutParts): void => {
  router.add(billingEndpoints.getSubscription, {
    roles: ['user', 'admin', 'service'],
    input: forUser,
    owner,
    handle: ({ input }) => readSubscription(parts, input.userId),
  });

  router.add(billingEndpoints.openCheckout, {
    roles: ['user'],
    input: person,
    owner,
    handle: async ({ input }) => ({ url: await inTime(openCheckout(parts, input)) }),
  });

  router.add(billingEndpoints.confirmCheckout, {
    roles: ['user'],
    input: forUser.append<ForUser & { sessionId: string }>({ sessionId: providerId }),
    owner,
    handle: async ({ input }) => {
      await inTime(confirmCheckout(parts, input));
      return readSubscription(parts, input.userId);
    },
  });

  router.add(billingEndpoints.openPortal, {
    roles: ['user'],
    input: forUser.append<ForUser & { customerId: string }>({ customerId: providerId }),
    owner,
    handle: async ({ input }) => {
      const subscriber = await findSubscriber(parts.db.manager, input.userId);
      if (subscriber === null || subscriber.customerId !== input.customerId)
        throw createError('billing.customer_not_found');
      const url = await parts.stripe.openPortal(input.customerId, `${parts.publicUrl}/`);
      if (url === null) throw createError('billing.customer_not_found');
      return { url };
    },
  });
};

const addAdminRoutes = (router: Router, parts: CheckoutParts): void => {
  router.add(billingEndpoints.grantPlan, {
    roles: ['admin'],
    input: person,
    handle: async ({ input, caller }) => {
      await inTransaction(parts.db, async (tx) => {
        await insertSubscriberIfAbsent(tx, input);
        await grantPlan(tx, input.userId, { caller, clock: parts.clock });
      });
      return readSubscription(parts, input.userId);
    },
  });

  router.add(billingEndpoints.revokePlan, {
    roles: ['admin'],
    input: forUser,
    handle: async ({ input, caller }) => {
      await inTime(revokePlan(parts, input.userId, caller));
      return readSubscription(parts, input.userId);
    },
  });
};

export const addSubscriptionEndpoints = (router: Router, parts: CheckoutParts): void => {
  addUserRoutes(router, parts);
  addAdminRoutes(router, parts);
};
