import Joi from 'joi';
import { identityEndpoints } from '@shortlist/contracts/api/identity';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { emailSchema } from '@shortlist/contracts/schemas/account';
import type { Redis } from '@shortlist/kit/data/redis';
import { createAttemptLimit, NETWORK_HOLD_MS } from '../limits/attempt-limit.ts';
import { networkOf } from '../limits/network.ts';
import { handled } from '../http/endpoint.ts';
import type { PublicEndpoint } from '../http/endpoint.ts';
import type { Services } from '../upstream/services.ts';

/** Requests of one network in a minute: enough for someone who fills in a form, too few to try addresses by the thousand. */
const AVAILABILITY = {
  name: 'availability',
  attempts: 30,
  seconds: 60,
  withoutRedis: 'refuse',
  holdMs: NETWORK_HOLD_MS,
} as const;

/** Whether an e-mail address is free. It reveals which addresses have accounts, so each client may call it rarely. */
export const emailAvailabilityEndpoint = (services: Services, redis: Redis): PublicEndpoint => {
  const limit = createAttemptLimit(redis, AVAILABILITY);
  return handled(publicEndpoints.emailAvailability, {
    roles: ['anonymous', 'user', 'admin'],
    permission: 'own_account',
    input: Joi.object<{ email: string }, true>({ email: emailSchema }),
    handle: async ({ input, address, caller }) => {
      await limit.consume(networkOf(address));
      return services.identity(identityEndpoints.emailAvailability, input, { caller });
    },
  });
};
