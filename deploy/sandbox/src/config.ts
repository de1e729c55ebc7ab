import Joi from 'joi';
import { DAY } from './model/billing-cycle.rules.ts';

/** How the account behaves where Stripe leaves the choice to the account or to time. */
export type Settings = {
  /** How long after a payment its balance transaction exists; 0 means at once. */
  captureDelaySeconds: number;
  /** The days after the first attempt on which a failed renewal is retried; after the last one the subscription ends. */
  retryDays: number[];
  /** Whether the billing portal's default configuration has been saved in the dashboard. */
  portalConfigured: boolean;
  /** Whether the account may search, which Stripe refuses in some countries. */
  searchAllowed: boolean;
  /** Calls to the API beyond this number in a second are refused; null means none is. */
  callsPerSecond: number | null;
  /** How long each call to the API takes at least. */
  latencyMs: number;
  /** Invoices of renewals stay drafts with an error, as when the tax of a customer cannot be computed. */
  finalizationFails: boolean;
  /** The currency in which the account is paid out; null means the currency of each payment. */
  settlementCurrency: string | null;
  /** The price of one unit of the payment's currency in the settlement currency; null means 1. */
  exchangeRate: number | null;
  /** The tax on each invoice; null means 8 % on those of subscriptions whose tax is computed automatically. */
  taxPercent: number | null;
};

export const DEFAULT_SETTINGS: Settings = {
  captureDelaySeconds: 0,
  retryDays: [3, 5, 7],
  portalConfigured: true,
  searchAllowed: true,
  callsPerSecond: null,
  latencyMs: 0,
  finalizationFails: false,
  settlementCurrency: null,
  exchangeRate: null,
  taxPercent: null,
};

export const settingsSchema = Joi.object<Partial<Settings>>({
  captureDelaySeconds: Joi.number().integer().min(0).max(DAY),
  retryDays: Joi.array().items(Joi.number().integer().min(1).max(60)).max(20).sort(),
  portalConfigured: Joi.boolean(),
  searchAllowed: Joi.boolean(),
  callsPerSecond: Joi.number().integer().min(1).allow(null),
  latencyMs: Joi.number().integer().min(0).max(60_000),
  finalizationFails: Joi.boolean(),
  settlementCurrency: Joi.string().lowercase().length(3).allow(null),
  exchangeRate: Joi.number().positive().allow(null),
  taxPercent: Joi.number().min(0).max(100).allow(null),
});

/** The keys that are valid now: while one is replaced, the former too. Webhooks are signed with each of their secrets. */
export type AccountKeys = { stripe: string[]; mail: string[]; webhooks: string[] };

const keyList = Joi.array().items(Joi.string().min(1)).min(1);
export const keysSchema = Joi.object<Partial<AccountKeys>>({
  stripe: keyList,
  mail: keyList,
  webhooks: keyList,
});

export type Config = {
  port: number;
  host: string;
  /** The URL under which browsers reach the sandbox; null means the listen address. */
  publicUrl: string | null;
  /** Where events go; null when only endpoints created through the API receive them. */
  webhookUrl: string | null;
  webhookSecret: string;
  stripeSecretKey: string;
  mailApiKey: string;
  /** Where SendGrid's events go, and the private key that signs them, base64 of its DER form (PKCS 8); null for none. */
  mailEvents?: { url: string; key: string } | null;
  stateFile: string | null;
  /** Settings that differ from the defaults, at the start and after a reset. */
  settings?: Partial<Settings>;
};

const httpAddress = <Value = string>() => Joi.string<Value>().uri({ scheme: ['http', 'https'] });

export const variables = {
  PORT: Joi.number().port().required(),
  HOST: Joi.string().default('127.0.0.1'),
  PUBLIC_URL: httpAddress<string | null>().empty('').default(null),
  WEBHOOK_URL: httpAddress().allow('').required(),
  WEBHOOK_SECRET: Joi.string()
    .trim()
    .pattern(/^whsec_/)
    // Joi's default message would print the secret.
    .messages({ 'string.pattern.base': '{{#label}} must begin with whsec_' })
    .required(),
  STRIPE_SECRET_KEY: Joi.string().required(),
  MAIL_API_KEY: Joi.string().required(),
  MAIL_EVENTS_URL: httpAddress<string | null>().empty('').default(null),
  MAIL_EVENTS_KEY: Joi.string<string | null>().base64().empty('').default(null),
  SANDBOX_STATE_FILE: Joi.string<string | null>().empty('').default(null),
  CAPTURE_DELAY_SECONDS: Joi.number().integer().min(0).empty('').default(0),
  RETRY_DAYS: Joi.string()
    .pattern(/^\d+(,\d+)*$/, 'days, as in 3,5,7')
    .empty('')
    .default('3,5,7'),
};

type Environment = {
  [Name in keyof typeof variables]: (typeof variables)[Name] extends Joi.AnySchema<infer Value>
    ? Value
    : never;
};

export class ConfigError extends Error {}

const describeProblems = (error: Joi.ValidationError): string => {
  const names = (missing: boolean) =>
    error.details
      .filter((detail) => (detail.type === 'any.required' || detail.type === 'string.empty') === missing)
      .map((detail) => (missing ? detail.path.join('.') : detail.message));
  const sentences = [];
  if (names(true).length > 0) sentences.push(`these variables are missing: ${names(true).join(', ')}`);
  if (names(false).length > 0) sentences.push(names(false).join('; '));
  return `The sandbox cannot start: ${sentences.join('; ')}.`;
};

export const readConfig = (environment: Record<string, string | undefined>): Config => {
  const result = Joi.object<Environment>(variables).validate(environment, {
    abortEarly: false,
    stripUnknown: true,
  });
  if (result.error) throw new ConfigError(describeProblems(result.error));
  const { value } = result;
  return {
    port: value.PORT,
    host: value.HOST,
    publicUrl: value.PUBLIC_URL,
    webhookUrl: value.WEBHOOK_URL || null,
    webhookSecret: value.WEBHOOK_SECRET,
    stripeSecretKey: value.STRIPE_SECRET_KEY,
    mailApiKey: value.MAIL_API_KEY,
    mailEvents:
      value.MAIL_EVENTS_URL === null || value.MAIL_EVENTS_KEY === null
        ? null
        : { url: value.MAIL_EVENTS_URL, key: value.MAIL_EVENTS_KEY },
    stateFile: value.SANDBOX_STATE_FILE,
    settings: {
      captureDelaySeconds: value.CAPTURE_DELAY_SECONDS,
      // Like a new account at Stripe: the set-up creates a configuration.
      portalConfigured: false,
      retryDays: value.RETRY_DAYS.split(',').map(Number),
    },
  };
};
