import Joi from 'joi';
import { publicEndpoints, type PublicConfig } from '@shortlist/contracts/api/public';
import type { Router } from '@shortlist/kit/http/router';
import { createError } from '@shortlist/kit/process/errors';
import type { Config } from '../config.ts';
import { tokenOf } from '../session/identify.ts';
import type { Xsrf } from '../session/xsrf.ts';

export const presentConfig = (config: Config): PublicConfig => ({
  brand: config.BRAND,
  links: {
    automationBot: config.LINK_AUTOMATION_BOT,
    crm: config.LINK_CRM,
    about: config.LINK_ABOUT,
    support: config.LINK_SUPPORT,
    privacy: config.LINK_PRIVACY,
    terms: config.LINK_TERMS,
    provider: config.LINK_PROVIDER,
  },
});

export const addConfigEndpoint = (
  router: Router,
  { shown, xsrf }: { shown: PublicConfig; xsrf: Xsrf },
): void => {
  router.add(publicEndpoints.config, {
    roles: ['anonymous', 'user', 'admin'],
    input: Joi.object<Record<never, never>>({}),
    handle: ({ request, response, caller }) => {
      const token = tokenOf(request);
      // Asked with a token, it gives this browser what its session needs for a change; of an ended one it says so.
      if (token !== null && caller.role === 'anonymous') throw createError('session.missing');
      xsrf.ensure({ request, response }, token);
      return Promise.resolve(shown);
    },
  });
};
