import Joi from 'joi';
import { type Environment, loadConfig, variable } from '@shortlist/kit/process/config';
import { serviceVariables, type ServiceConfig } from '@shortlist/kit/service';

export type Config = ServiceConfig & {
  STRIPE_SECRET_KEY: string;
  STRIPE_WEBHOOK_SECRETS: string[];
  STRIPE_API_BASE?: string;
  PUBLIC_URL: string;
};

export const readConfig = (env: Environment): Config =>
  loadConfig<Config>(
    {
      ...serviceVariables,
      STRIPE_SECRET_KEY: variable.secret,
      // Several, so that a secret can be rolled over: a delivery may be signed with any of them.
      STRIPE_WEBHOOK_SECRETS: variable.secrets,
      STRIPE_API_BASE: Joi.string()
        .uri({ scheme: ['http', 'https'] })
        .empty(''),
      PUBLIC_URL: variable.url('http', 'https'),
    },
    env,
  );
