import Joi from 'joi';
import { identityDoors } from '@shortlist/contracts/api/identity';
import { profileDoors } from '@shortlist/contracts/api/profile';
import { publicDoors } from '@shortlist/contracts/api/public';
import { userId } from '@shortlist/contracts/schemas/text';
import type { Doors } from '@shortlist/kit/doors';
import type { Log } from '@shortlist/kit/log';
import type { Services } from '../services.ts';
import type { Sessions } from '../session/sessions.ts';
import { composeUser } from './user-view.ts';

const one = Joi.object<{ id: string }, true>({ id: userId });

export const addUserDoors = (
  doors: Doors,
  { services, sessions, log }: { services: Services; sessions: Sessions; log: Log },
): void => {
  doors.add(publicDoors.getUser, {
    roles: ['admin'],
    input: one,
    answer: async ({ input: { id }, caller }) => ({ data: await composeUser(services, id, { caller }) }),
  });

  doors.add(publicDoors.deleteUser, {
    roles: ['admin'],
    input: one,
    answer: async ({ input: { id }, caller }) => {
      const { at } = await services.identity(identityDoors.deleteAccount, { id }, { caller });
      await sessions.endAllBefore(id, new Date(at));
      // The fact does this too; done here, the very next list is without them.
      await services
        .profile(profileDoors.deleteProfile, { id }, { caller })
        .catch((error: unknown) => log.warn({ err: error }, 'gone by its fact'));
      return { message: 'deleted' };
    },
  });
};
