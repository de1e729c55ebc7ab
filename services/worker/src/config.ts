import Joi from 'joi';
import { redisUrl } from '@shortlist/kit/data/variables';
import { type ConfigOf, type Environment, loadConfig, variable } from '@shortlist/kit/process/config';
import type { TokenKeys } from '@shortlist/kit/http/service-token';
import { serviceVariables } from '@shortlist/kit/service';
import { readPublicKey } from './mail/event-webhook.ts';

const service = variable.url('http', 'https');

export const variables = {
  ...serviceVariables,
  QUEUE_REDIS_URL: redisUrl,
  SENDGRID_API_KEY: variable.secret,
  MAIL_API_BASE: variable.optional(
    Joi.string()
      .uri({ scheme: ['http', 'https'] })
      .empty(''),
  ),
  // Without it, the endpoint for SendGrid's event webhook does not exist.
  SENDGRID_WEBHOOK_PUBLIC_KEY: variable.optional(variable.parsedBy(readPublicKey).optional().empty('')),
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
  WORKER_TOKEN_KEYS: variable.tokenKeys,
  // `any` also sends webhooks over plain HTTP and to private networks, for trying out the product.
  WEBHOOK_TARGETS: variable.oneOf('public', 'any').default('public'),
};

export type Config = ConfigOf<typeof variables>;

export const readConfig = (env: Environment): Config => loadConfig(variables, env);

/** The token keys for each called service. */
export const serviceTokenKeys = (
  config: Config,
): Record<'identity' | 'profile' | 'billing' | 'credits', TokenKeys> => ({
  identity: config.IDENTITY_TOKEN_KEYS,
  profile: config.PROFILE_TOKEN_KEYS,
  billing: config.BILLING_TOKEN_KEYS,
  credits: config.CREDITS_TOKEN_KEYS,
});
