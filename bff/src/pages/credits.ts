import Joi from 'joi';
import { billingEndpoints } from '@shortlist/contracts/api/billing';
import { creditsEndpoints } from '@shortlist/contracts/api/credits';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { createError } from '@shortlist/kit/process/errors';
import { handled } from '../http/endpoint.ts';
import type { PublicEndpoint } from '../http/endpoint.ts';
import type { Services } from '../upstream/services.ts';

/** The credits of the plan that billing has now, which may be newer than the last event that credits has consumed. */
export const creditsEndpoint = (services: Services): PublicEndpoint =>
  handled(publicEndpoints.credits, {
    roles: ['user'],
    input: Joi.object<Record<never, never>>({}),
    handle: async ({ caller }) => {
      const { userId } = caller;
      if (userId === null) throw createError('session.missing');
      const { planState } = await services.billing(billingEndpoints.getSubscription, { userId }, { caller });
      const input = { userId, planVersion: planState.version };
      return services.credits(creditsEndpoints.getCredits, input, { caller });
    },
  });
