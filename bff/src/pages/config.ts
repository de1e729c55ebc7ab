import Joi from 'joi';
import { publicDoors, type PublicConfig } from '@shortlist/contracts/api/public';
import type { Doors } from '@shortlist/kit/doors';
import type { Config } from '../config.ts';
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
    answer: ({ request, response }) => {
      xsrf.ensure(request, response);
      return Promise.resolve(shown);
    },
  });
};
