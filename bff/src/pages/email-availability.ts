import Joi from 'joi';
import { identityEndpoints } from '@shortlist/contracts/api/identity';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { emailSchema } from '@shortlist/contracts/schemas/account';
import { createError } from '@shortlist/kit/process/errors';
import type { AddressLimit } from '../limits/address-limit.ts';
import { handled } from '../pipeline/handled.ts';
import type { PublicEndpoint } from '../pipeline/public-endpoint.ts';
import type { Services } from '../upstream/services.ts';

/** Whether an e-mail address is free. It reveals which addresses have accounts, so each client may call it rarely. */
export const emailAvailabilityEndpoint = ({
  services,
  limit,
}: {
  services: Services;
  limit: AddressLimit;
}): PublicEndpoint =>
  handled(publicEndpoints.emailAvailability, {
    roles: ['anonymous', 'user', 'admin'],
    input: Joi.object<{ email: string }, true>({ email: emailSchema }),
    handle: async ({ input, address, caller }) => {
      if (!(await limit.consume(address)))
        throw createError('request.rate_limited', { retryAfterSeconds: 60 });
      return services.identity(identityEndpoints.emailAvailability, input, { caller });
    },
  });
