import { publicSessionEndpoints } from '@shortlist/contracts/api/public-sessions';
import { signInEndpoints } from '@shortlist/contracts/api/sign-ins';
import { userId } from '@shortlist/contracts/schemas/text';
import { createError } from '@shortlist/kit/process/errors';
import Joi from 'joi';
import { handled } from '../http/endpoint.ts';
import type { PublicEndpoint } from '../http/endpoint.ts';
import type { Services } from '../upstream/services.ts';

/** The history of log-ins: the caller's own, and for admins that of a user. */
export const signInHistoryEndpoints = ({ identity }: Services): PublicEndpoint[] => [
  handled(publicSessionEndpoints.listSignIns, {
    roles: ['user', 'admin'],
    permission: 'own_account',
    input: Joi.object<Record<never, never>>({}),
    handle: ({ caller }) => {
      if (caller.userId === null) throw createError('session.missing');
      return identity(signInEndpoints.listSignIns, { id: caller.userId }, { caller });
    },
  }),

  handled(publicSessionEndpoints.listUserSignIns, {
    roles: ['admin'],
    permission: 'users.read',
    input: Joi.object<{ id: string }, true>({ id: userId }),
    handle: ({ input, caller }) => identity(signInEndpoints.listSignIns, input, { caller }),
  }),
];
