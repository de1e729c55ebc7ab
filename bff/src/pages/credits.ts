import Joi from 'joi';
import { billingEndpoints } from '@shortlist/contracts/api/billing';
import { creditsEndpoints } from '@shortlist/contracts/api/credits';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import type { Router } from '@shortlist/kit/http/router';
import { createError } from '@shortlist/kit/process/errors';
import type { Services } from '../services.ts';

/** Credits of the plan that billing shows now, not of the one that credits last heard of. */
export const addCreditsEndpoint = (router: Router, services: Services): void => {
  router.add(publicEndpoints.credits, {
    roles: ['user'],
    input: Joi.object<Record<never, never>>({}),
    handle: async ({ caller }) => {
      if (caller.userId === null) throw createError('session.missing');
      const { userId } = caller;
      const { planState } = await services.billing(billingEndpoints.getSubscription, { userId }, { caller });
      return services.credits(
        creditsEndpoints.getCredits,
        { userId, planVersion: planState.version },
        { caller },
      );
    },
  });
};
