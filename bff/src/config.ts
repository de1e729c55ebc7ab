import type { PublicConfig } from '@shortlist/contracts/api/public';
import type { Price } from '@shortlist/contracts/api/billing';
import { CURRENCY, PASSWORD_MIN, PRICE_MINOR, UNVERIFIED_MAY_NOT } from '@shortlist/contracts/limits';
import { messages } from '@shortlist/contracts/messages';
import { termsVersion } from '@shortlist/contracts/schemas/account';
import { redisUrl } from '@shortlist/kit/data/variables';
import type { TokenKeys } from '@shortlist/kit/http/service-token';
import { kafkaVariables } from '@shortlist/kit/messaging/kafka-settings';
import {
  type ConfigOf,
  type Environment,
  loadConfig,
  serverVariables,
  variable,
} from '@shortlist/kit/process/config';
import { tracingVariables } from '@shortlist/kit/process/tracing';
import Joi from 'joi';
import type { ServiceName } from './services.ts';

const service = variable.url('http', 'https');
const link = (path: string) =>
  Joi.string()
    .uri({ scheme: ['http', 'https', 'mailto'] })
    .default(`https://shortlist.test${path}`);

/** The text in the notation of the message catalogue, in which <terms> and <privacy> become links. */
const consentText = Joi.string().custom((text: string) => {
  messages({ text }).rich('text', { terms: String, privacy: String });
  return text;
});

export const variables = {
  ...serverVariables,
  ...kafkaVariables,
  ...tracingVariables,
  SESSIONS_REDIS_URL: redisUrl,
  IDENTITY_URL: service,
  PROFILE_URL: service,
  BILLING_URL: service,
  CREDITS_URL: service,
  WORKER_URL: service,
  IDENTITY_TOKEN_KEYS: variable.tokenKeys,
  PROFILE_TOKEN_KEYS: variable.tokenKeys,
  BILLING_TOKEN_KEYS: variable.tokenKeys,
  CREDITS_TOKEN_KEYS: variable.tokenKeys,
  WORKER_TOKEN_KEYS: variable.tokenKeys,
  // The first key signs, all verify, so that a key can be replaced.
  XSRF_KEY: variable.secrets,
  PUBLIC_URL: service,
  WEB_ROOT: Joi.string().required(),
  BRAND: Joi.string().default('Shortlist'),
  // Shown until billing has returned Stripe's price.
  PRICE_MINOR: Joi.number().integer().min(1).default(PRICE_MINOR),
  CURRENCY: Joi.string().lowercase().length(3).default(CURRENCY),
  // Network addresses of the load balancers in front. X-Forwarded-For is used only when it comes from one of them.
  TRUSTED_PROXIES: variable.list.optional().empty('').default([]),
  // Whether an admin must have a second factor.
  ADMIN_TWO_STEP: variable.oneOf('required', 'optional').default('required'),
  // Shown to users; identity enforces it.
  PASSWORD_MIN: Joi.number().integer().min(PASSWORD_MIN).max(64).default(PASSWORD_MIN),
  // Names beside that of PUBLIC_URL by which clients may address bff.
  ALLOWED_HOSTS: variable.list.optional().empty('').default([]),
  // What an account may not do before its address is confirmed.
  REQUIRE_VERIFIED_EMAIL: Joi.string()
    .empty('')
    .pattern(/^(nothing|(checkout|api_keys)(,(checkout|api_keys))*)$/)
    .default(UNVERIFIED_MAY_NOT.join(',')),
  // Whether a sign-up leads to the log-in form, or logs in by itself.
  LOG_IN_AFTER_SIGN_UP: variable.oneOf('form', 'direct').default('form'),
  // Log-ins a minute, half of the broken requests a minute, and sign-ups and requests for a new password an hour, of one client address (IPv6: of one /64).
  LOGIN_LIMIT: Joi.number().integer().min(1).default(60),
  SIGNUP_LIMIT: Joi.number().integer().min(1).default(30),
  // Which API keys are made and accepted: those of an installation for tests begin with sl_test_.
  API_KEY_ENVIRONMENT: variable.oneOf('test', 'live').default('test'),
  // Requests of an API key, and of all keys of a user, in a minute.
  API_KEY_LIMIT: Joi.number().integer().min(1).default(600),
  API_USER_LIMIT: Joi.number().integer().min(1).default(1_200),
  // Requests of one app, with all of its users, in a minute.
  API_TOOL_LIMIT: Joi.number().integer().min(1).default(60_000),
  // Without a database, no place is shown.
  GEOIP_DATABASE: Joi.string().allow('').default(''),
  LINK_AUTOMATION_BOT: link('/automation-bot'),
  LINK_CRM: link('/crm'),
  LINK_ABOUT: link('/about'),
  LINK_SUPPORT: link('/support'),
  LINK_PRIVACY: link('/privacy'),
  LINK_TERMS: link('/terms'),
  LINK_PROVIDER: Joi.string()
    .uri({ scheme: ['http', 'https'] })
    .default('https://dashboard.stripe.com'),
  // Without a version, a sign-up requires no consent.
  TERMS_VERSION: termsVersion.optional().allow('').default(''),
  TERMS_TEXT: consentText.allow('').default(''),
};

export type Config = ConfigOf<typeof variables>;

export const readConfig = (env: Environment): Config => loadConfig(variables, env);

export const serviceUrls = (config: Config): Record<ServiceName, string> => ({
  identity: config.IDENTITY_URL,
  profile: config.PROFILE_URL,
  billing: config.BILLING_URL,
  credits: config.CREDITS_URL,
  worker: config.WORKER_URL,
});

/** The keys of the tokens for each service that is called. */
export const serviceTokenKeys = (config: Config): Record<ServiceName, TokenKeys> => ({
  identity: config.IDENTITY_TOKEN_KEYS,
  profile: config.PROFILE_TOKEN_KEYS,
  billing: config.BILLING_TOKEN_KEYS,
  credits: config.CREDITS_TOKEN_KEYS,
  worker: config.WORKER_TOKEN_KEYS,
});

export const configuredPrice = (config: Config): Price => ({
  amount: config.PRICE_MINOR,
  currency: config.CURRENCY,
});

/** The part of the configuration that the browser reads; the price comes from billing. */
export const publicConfig = (config: Config): Omit<PublicConfig, 'price' | 'yearlyPrice'> => ({
  brand: config.BRAND,
  consent:
    config.TERMS_VERSION === ''
      ? null
      : { version: config.TERMS_VERSION, text: config.TERMS_TEXT === '' ? null : config.TERMS_TEXT },
  passwordMin: config.PASSWORD_MIN,
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
