import Joi from 'joi';
import { publicDoors, type PublicConfig } from '@shortlist/contracts/api/public';
import type { Doors } from '@shortlist/kit/doors';
import { coded } from '@shortlist/kit/errors';
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

export const addConfigDoor = (doors: Doors, { shown, xsrf }: { shown: PublicConfig; xsrf: Xsrf }): void => {
  doors.add(publicDoors.config, {
    roles: ['anonymous', 'user', 'admin'],
    input: Joi.object<Record<never, never>>({}),
    answer: ({ request, response, caller }) => {
      const token = tokenOf(request);
      // Asked with a token, it gives this browser what its session needs for a change; of an ended one it says so.
      if (token !== null && caller.role === 'anonymous') throw coded('session.missing');
      xsrf.ensure({ request, response }, token);
      return Promise.resolve(shown);
    },
  });
};
