import { publicPaths } from '@shortlist/contracts/api/public';
import { parseInput } from '@shortlist/kit/http/router';
import { createError } from '@shortlist/kit/process/errors';
import Joi from 'joi';
import type { PublicEndpoint } from '../http/endpoint.ts';
import type { LiveUpdates } from './live-updates.ts';

export const liveEndpoint = (liveUpdates: LiveUpdates): PublicEndpoint => ({
  method: 'GET',
  path: publicPaths.live,
  bodyBytes: 0,
  roles: ['user', 'admin'],
  permission: 'own_account',
  beforeSecondFactor: true, // it says which data to read again, and none of the data
  respond: ({ request, response, session, token, bindings }) => {
    parseInput(Joi.object({}), request.query);
    if (session === null || token === null) throw createError('session.missing');
    if (request.method === 'HEAD')
      response.end(); // a stream without a body would stay open and say nothing
    else liveUpdates.open({ request, response, session, token, bindings });
    return Promise.resolve();
  },
});
