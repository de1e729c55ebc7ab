import { identityEndpoints } from '@shortlist/contracts/api/identity';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import type { Caller } from '@shortlist/kit/http/service-token';
import { createError } from '@shortlist/kit/process/errors';
import Joi from 'joi';
import { composeUser } from '../handlers/users.ts';
import { handled, type PublicEndpoint } from '../http/endpoint.ts';
import type { Session } from '../session/session.ts';
import type { Services } from '../upstream/services.ts';

const input = Joi.object<Record<never, never>>({});

export const sessionCheckEndpoints = (services: Services): PublicEndpoint[] => {
  const deletionOf = async (
    { userId, isBeingDeleted }: Session,
    caller: Caller,
  ): Promise<{ deletionDueAt?: string }> => {
    if (!isBeingDeleted) return {};
    const { data } = await services.identity(identityEndpoints.getDeletion, { id: userId }, { caller });
    return data === null ? {} : { deletionDueAt: data.dueAt };
  };
  return [
    handled(publicEndpoints.checkUser, {
      roles: ['user'],
      duringDeletion: true,
      input,
      handle: async ({ session, caller }) => {
        if (session === null) throw createError('session.missing');
        const user = await composeUser(services, session.userId, { caller });
        return { remainingTime: session.remainingSeconds, user, ...(await deletionOf(session, caller)) };
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
};
