import Joi from 'joi';
import { identityEndpoints } from '@shortlist/contracts/api/identity';
import { profileEndpoints } from '@shortlist/contracts/api/profile';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { userId } from '@shortlist/contracts/schemas/text';
import type { Router } from '@shortlist/kit/http/router';
import type { Log } from '@shortlist/kit/process/log';
import type { Services } from '../services.ts';
import type { Sessions } from '../session/sessions.ts';
import { composeUser } from './user-view.ts';

const one = Joi.object<{ id: string }, true>({ id: userId });

export const addUserEndpoints = (
  router: Router,
  { services, sessions, log }: { services: Services; sessions: Sessions; log: Log },
): void => {
  router.add(publicEndpoints.getUser, {
    roles: ['admin'],
    input: one,
    handle: async ({ input: { id }, caller }) => ({ data: await composeUser(services, id, { caller }) }),
  });

  router.add(publicEndpoints.deleteUser, {
    roles: ['admin'],
    input: one,
    handle: async ({ input: { id }, caller }) => {
      const { at } = await services.identity(identityEndpoints.deleteAccount, { id }, { caller });
      await sessions.endAllBefore(id, new Date(at));
      // The fact does this too; done here, the very next list is without them.
      await services
        .profile(profileEndpoints.deleteProfile, { id }, { caller })
        .catch((error: unknown) => log.warn({ err: error }, 'gone by its fact'));
      return { message: 'deleted' };
    },
  });
};
