import Joi from 'joi';
import { CURRENCY, PRICE_MINOR } from '@shortlist/contracts/limits';
import { type Environment, loadConfig, variable } from '@shortlist/kit/process/config';
import { serviceVariables, type ServiceConfig } from '@shortlist/kit/service';

export type Config = ServiceConfig & {
  STRIPE_SECRET_KEY: string;
  STRIPE_WEBHOOK_SECRETS: string[];
  STRIPE_API_BASE?: string;
  PUBLIC_URL: string;
  PRICE_MINOR: number;
  CURRENCY: string;
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
      // The price that the operator intends. An account without a price gets this one; a different price at Stripe is an error.
      PRICE_MINOR: Joi.number().integer().min(1).default(PRICE_MINOR),
      CURRENCY: Joi.string().lowercase().length(3).default(CURRENCY),
    },
    env,
  );
