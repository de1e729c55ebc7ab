import Joi from 'joi';
import { identityEndpoints } from '@shortlist/contracts/api/identity';
import { profileEndpoints } from '@shortlist/contracts/api/profile';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { userId } from '@shortlist/contracts/schemas/text';
import type { Log } from '@shortlist/kit/process/log';
import { handled } from '../http/endpoint.ts';
import type { PublicEndpoint } from '../http/endpoint.ts';
import type { Sessions } from '../session/sessions.ts';
import type { Services } from '../upstream/services.ts';
import { composeUser } from './user-view.ts';

const input = Joi.object<{ id: string }, true>({ id: userId });

type Parts = { services: Services; sessions: Sessions; log: Log };

export const userEndpoints = ({ services, sessions, log }: Parts): PublicEndpoint[] => [
  handled(publicEndpoints.getUser, {
    roles: ['admin'],
    permission: 'users.read',
    input,
    handle: async ({ input: { id }, caller }) => ({ data: await composeUser(services, id, { caller }) }),
  }),

  handled(publicEndpoints.deleteUser, {
    roles: ['admin'],
    permission: 'users.delete',
    recent: true,
    input,
    handle: async ({ input: { id }, caller }) => {
      const { generation } = await services.identity(identityEndpoints.deleteAccount, { id }, { caller });
      await sessions.endAllBefore(id, generation);
      // UserDeleted deletes the profile too; deleted here as well, the next list is without it.
      await services
        .profile(profileEndpoints.deleteProfile, { id }, { caller })
        .catch((error: unknown) => log.warn({ err: error }, 'profile not deleted; UserDeleted will'));
      return { message: 'deleted' };
    },
  }),
];
