import Joi from 'joi';
import { redisUrl } from '@shortlist/kit/data/variables';
import { type Environment, loadConfig, variable } from '@shortlist/kit/process/config';
import type { TokenKeys } from '@shortlist/kit/http/service-token';
import { serviceVariables, type ServiceConfig } from '@shortlist/kit/service';

export type Config = ServiceConfig & {
  QUEUE_REDIS_URL: string;
  SENDGRID_API_KEY: string;
  MAIL_API_BASE?: string;
  MAIL_FROM: string;
  BRAND: string;
  PUBLIC_URL: string;
  IDENTITY_URL: string;
  PROFILE_URL: string;
  BILLING_URL: string;
  CREDITS_URL: string;
  IDENTITY_TOKEN_KEYS: TokenKeys;
  PROFILE_TOKEN_KEYS: TokenKeys;
  BILLING_TOKEN_KEYS: TokenKeys;
  CREDITS_TOKEN_KEYS: TokenKeys;
};

const service = variable.url('http', 'https');

export const readConfig = (env: Environment): Config =>
  loadConfig<Config>(
    {
      ...serviceVariables,
      QUEUE_REDIS_URL: redisUrl,
      SENDGRID_API_KEY: variable.secret,
      MAIL_API_BASE: Joi.string()
        .uri({ scheme: ['http', 'https'] })
        .empty(''),
      MAIL_FROM: Joi.string().email({ tlds: false }).required(),
      BRAND: Joi.string().default('Shortlist'),
      PUBLIC_URL: service,
      IDENTITY_URL: service,
      PROFILE_URL: service,
      BILLING_URL: service,
      CREDITS_URL: service,
      IDENTITY_TOKEN_KEYS: variable.tokenKeys,
      PROFILE_TOKEN_KEYS: variable.tokenKeys,
      BILLING_TOKEN_KEYS: variable.tokenKeys,
      CREDITS_TOKEN_KEYS: variable.tokenKeys,
    },
    env,
  );

/** The keys of the tokens for each service that is called. */
export const serviceTokenKeys = (
  config: Config,
): Record<'identity' | 'profile' | 'billing' | 'credits', TokenKeys> => ({
  identity: config.IDENTITY_TOKEN_KEYS,
  profile: config.PROFILE_TOKEN_KEYS,
  billing: config.BILLING_TOKEN_KEYS,
  credits: config.CREDITS_TOKEN_KEYS,
});
