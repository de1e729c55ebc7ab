import Joi from 'joi';
import { billingEndpoints } from '@shortlist/contracts/api/billing';
import { userId } from '@shortlist/contracts/schemas/text';
import type { Router } from '@shortlist/kit/http/router';
import { readSubscription } from '../subscriptions/read-subscription.ts';
import { withDeadline } from '../sync/deadline.ts';
import { confirmCheckout } from './confirm-checkout.ts';
import { type CheckoutParts, openCheckout } from './open-checkout.ts';
import { openPortal } from './open-portal.ts';

type ForUser = { userId: string };
const forUser = Joi.object<ForUser, true>({ userId });
const userDetails = forUser.append<ForUser & { email: string; name: string }>({
  email: Joi.string().max(254).required(),
  name: Joi.string().max(210).required(),
});
const stripeId = Joi.string()
  .pattern(/^[A-Za-z0-9_]{1,100}$/)
  .required();
const owner = (input: ForUser): string => input.userId;

export const addCheckoutEndpoints = (router: Router, parts: CheckoutParts): void => {
  router.add(billingEndpoints.openCheckout, {
    roles: ['user'],
    input: userDetails,
    owner,
    handle: async ({ input }) => ({ url: await withDeadline(openCheckout(parts, input), parts) }),
  });

  router.add(billingEndpoints.confirmCheckout, {
    roles: ['user'],
    input: forUser.append<ForUser & { sessionId: string }>({ sessionId: stripeId }),
    owner,
    handle: async ({ input }) => {
      await withDeadline(confirmCheckout(parts, input), parts);
      return readSubscription(parts, input.userId);
    },
  });

  router.add(billingEndpoints.openPortal, {
    roles: ['user'],
    input: forUser.append<ForUser & { customerId: string }>({ customerId: stripeId }),
    owner,
    handle: async ({ input }) => ({ url: await withDeadline(openPortal(parts, input), parts) }),
  });
};
