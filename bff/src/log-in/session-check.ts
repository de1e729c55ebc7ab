import { identityEndpoints } from '@shortlist/contracts/api/identity';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import type { Caller } from '@shortlist/kit/http/service-token';
import { createError } from '@shortlist/kit/process/errors';
import { composeSessionUser } from '../handlers/users.ts';
import { composed, type Route } from '../http/endpoint.ts';
import type { Session } from '../session/session.ts';
import type { Services } from '../upstream/services.ts';

export const sessionCheckEndpoints = (services: Services): Route[] => {
  const deletionOf = async (
    { userId, isBeingDeleted }: Session,
    caller: Caller,
  ): Promise<{ deletionDueAt?: string }> => {
    if (!isBeingDeleted) return {};
    const { data } = await services.identity(identityEndpoints.getDeletion, { id: userId }, { caller });
    return data === null ? {} : { deletionDueAt: data.dueAt };
  };
  return [
    composed(publicEndpoints.checkUser, async ({ session, caller }) => {
      const [ofUser, deletion] = await Promise.all([
        composeSessionUser(services, session.userId, caller),
        deletionOf(session, caller),
      ]);
      return { remainingTime: session.remainingSeconds, ...ofUser, ...deletion };
    }),

    // One round trip to Redis and nothing else.
    composed(publicEndpoints.checkAdmin, ({ session }) => {
      const { remainingSeconds: remainingTime, needsSecondFactor, adminRole: role } = session;
      if (role === null) throw createError('session.missing');
      return Promise.resolve({ remainingTime, role, ...(needsSecondFactor ? { needsSecondFactor } : {}) });
    }),
  ];
};
