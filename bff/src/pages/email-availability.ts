import Joi from 'joi';
import { identityEndpoints } from '@shortlist/contracts/api/identity';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { emailSchema } from '@shortlist/contracts/schemas/account';
import type { Router } from '@shortlist/kit/http/router';
import { createError } from '@shortlist/kit/process/errors';
import type { Services } from '../services.ts';
import type { AddressLimit } from './address-limit.ts';

/** The form's look-up of an address. It tells who has an account, so nobody may ask often. */
export const addEmailAvailabilityEndpoint = (
  router: Router,
  { services, limit }: { services: Services; limit: AddressLimit },
): void => {
  router.add(publicEndpoints.emailAvailability, {
    roles: ['anonymous', 'user', 'admin'],
    input: Joi.object<{ email: string }, true>({ email: emailSchema }),
    handle: async ({ input, request, caller }) => {
      if (!(await limit(request.ip ?? 'unknown')))
        throw createError('request.rate_limited', { retryAfterSeconds: 60 });
      return services.identity(identityEndpoints.emailAvailability, input, { caller });
    },
  });
};
