import Joi from 'joi';
import { billingEndpoints } from '@shortlist/contracts/api/billing';
import { userId } from '@shortlist/contracts/schemas/text';
import type { Router } from '@shortlist/kit/http/router';
import { type ReadParts, readSubscription } from './read-subscription.ts';

export const addSubscriptionEndpoints = (router: Router, parts: ReadParts): void => {
  router.add(billingEndpoints.getSubscription, {
    roles: ['user', 'admin', 'service'],
    input: Joi.object<{ userId: string }, true>({ userId }),
    owner: (input) => input.userId,
    handle: ({ input }) => readSubscription(parts, input.userId),
  });
};
