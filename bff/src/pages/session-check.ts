import Joi from 'joi';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { createError } from '@shortlist/kit/process/errors';
import { handled } from '../pipeline/handled.ts';
import type { PublicEndpoint } from '../pipeline/public-endpoint.ts';
import type { Services } from '../upstream/services.ts';
import { composeUser } from './user-view.ts';

const input = Joi.object<Record<never, never>>({});

export const sessionCheckEndpoints = (services: Services): PublicEndpoint[] => [
  handled(publicEndpoints.checkUser, {
    roles: ['user'],
    input,
    handle: async ({ session, caller }) => {
      if (session === null) throw createError('session.missing');
      const user = await composeUser(services, session.userId, { caller });
      return { remainingTime: session.remainingSeconds, user };
    },
  }),

  // One round trip to Redis and nothing else.
  handled(publicEndpoints.checkAdmin, {
    roles: ['admin'],
    permission: 'own_account',
    beforeSecondFactor: true,
    input,
    handle: ({ session }) => {
      if (session === null) throw createError('session.missing');
      const { remainingSeconds: remainingTime, needsSecondFactor, adminRole: role } = session;
      if (role === null) throw createError('session.missing');
      return Promise.resolve({ remainingTime, role, ...(needsSecondFactor ? { needsSecondFactor } : {}) });
    },
  }),
];
