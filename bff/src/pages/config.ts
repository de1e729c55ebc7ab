import Joi from 'joi';
import { type Price, publicEndpoints, type PublicConfig } from '@shortlist/contracts/api/public';
import { createError } from '@shortlist/kit/process/errors';
import { handled } from '../http/endpoint.ts';
import type { PublicEndpoint } from '../http/endpoint.ts';
import type { Xsrf } from '../session/xsrf.ts';

type Parts = { config: Omit<PublicConfig, 'price'>; readPrice: () => Promise<Price>; xsrf: Xsrf };

/**
 * What the browser needs to know about this installation. With a session token, the response also sets the cookies with which
 * that session may make changes; for an ended session it is 401.
 */
export const configEndpoint = ({ config, readPrice, xsrf }: Parts): PublicEndpoint =>
  handled(publicEndpoints.config, {
    roles: ['anonymous', 'user', 'admin'],
    permission: 'own_account',
    beforeSecondFactor: true,
    input: Joi.object<Record<never, never>>({}),
    handle: async ({ request, response, token, session }) => {
      if (token !== null && session === null) throw createError('session.missing');
      xsrf.ensure({ request, response }, token);
      return { ...config, price: await readPrice() };
    },
  });
