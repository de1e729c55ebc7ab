import Joi from 'joi';
import { identityEndpoints } from '@shortlist/contracts/api/identity';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { emailSchema } from '@shortlist/contracts/schemas/account';
import type { AttemptLimit } from '../limits/attempt-limit.ts';
import { networkOf } from '../limits/network.ts';
import { handled } from '../pipeline/handled.ts';
import type { PublicEndpoint } from '../pipeline/public-endpoint.ts';
import type { Services } from '../upstream/services.ts';

/** Whether an e-mail address is free. It reveals which addresses have accounts, so each client may call it rarely. */
export const emailAvailabilityEndpoint = ({
  services,
  limit,
}: {
  services: Services;
  limit: AttemptLimit;
}): PublicEndpoint =>
  handled(publicEndpoints.emailAvailability, {
    roles: ['anonymous', 'user', 'admin'],
    permission: 'own_account',
    input: Joi.object<{ email: string }, true>({ email: emailSchema }),
    handle: async ({ input, address, caller }) => {
      await limit.consume(networkOf(address));
      return services.identity(identityEndpoints.emailAvailability, input, { caller });
    },
  });
