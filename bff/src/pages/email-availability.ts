import Joi from 'joi';
import { identityDoors } from '@shortlist/contracts/api/identity';
import { publicDoors } from '@shortlist/contracts/api/public';
import { emailSchema } from '@shortlist/contracts/schemas/account';
import type { Doors } from '@shortlist/kit/doors';
import { coded } from '@shortlist/kit/errors';
import type { Services } from '../services.ts';
import type { AddressLimit } from './address-limit.ts';

/** The form's look-up of an address. It tells who has an account, so nobody may ask often. */
export const addEmailAvailabilityDoor = (
  doors: Doors,
  { services, limit }: { services: Services; limit: AddressLimit },
): void => {
  doors.add(publicDoors.emailAvailability, {
    roles: ['anonymous', 'user', 'admin'],
    input: Joi.object<{ email: string }, true>({ email: emailSchema }),
    answer: async ({ input, request, caller }) => {
      if (!(await limit(request.ip ?? 'unknown')))
        throw coded('request.rate_limited', { retryAfterSeconds: 60 });
      return services.identity(identityDoors.emailAvailability, input, { caller });
    },
  });
};
