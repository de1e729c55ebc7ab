import Joi from 'joi';
import {
  publicViewingEndpoints,
  viewingEndpoints as identityViewing,
} from '@shortlist/contracts/api/identity';
import { factorReason } from '@shortlist/contracts/schemas/factors';
import { userId } from '@shortlist/contracts/schemas/text';
import { createError } from '@shortlist/kit/process/errors';
import { handled } from '../http/endpoint.ts';
import type { PublicEndpoint } from '../http/endpoint.ts';
import type { Sessions } from '../session/sessions.ts';
import type { Xsrf } from '../session/xsrf.ts';
import type { Services } from '../upstream/services.ts';

type Parts = { services: Services; sessions: Sessions; xsrf: Xsrf };

/** An admin views the product as a user. The viewing ends with the admin's own session at the latest. */
export const viewingEndpoint = ({ services, sessions, xsrf }: Parts): PublicEndpoint =>
  handled(publicViewingEndpoints.startViewing, {
    roles: ['admin'],
    permission: 'impersonate',
    recent: true,
    input: Joi.object<{ id: string; reason: string }, true>({ id: userId, reason: factorReason }),
    handle: async ({ input, request, response, caller, session, token, bindings }) => {
      if (session === null || token === null) throw createError('session.missing');
      const viewer = { id: session.userId, token, binding: bindings.admin };
      const begun = await sessions.beginViewing(input.id, viewer);
      // Without the record there is no viewing.
      await services
        .identity(identityViewing.recordViewing, { ...input, sessionId: begun.id }, { caller })
        .catch(async (error: unknown) => {
          await sessions.end(begun.token);
          throw error;
        });
      xsrf.renew({ request, response }, { begun: begun.token });
      return { data: { token: begun.token, remainingTime: begun.remainingSeconds } };
    },
  });
