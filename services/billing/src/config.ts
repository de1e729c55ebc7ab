import Joi from 'joi';
import { CURRENCY, PRICE_MINOR } from '@shortlist/contracts/limits';
import { type Environment, loadConfig, variable } from '@shortlist/kit/process/config';
import type { TokenKeys } from '@shortlist/kit/http/service-token';
import { serviceVariables, type ServiceConfig } from '@shortlist/kit/service';

/** The account at Stripe and what it must contain. */
export type StripeConfig = {
  STRIPE_SECRET_KEY: string;
  STRIPE_API_BASE?: string;
  STRIPE_EVENTS: 'webhook' | 'poll';
  STRIPE_WEBHOOK_URL?: string;
  PUBLIC_URL: string;
  PRICE_MINOR: number;
  CURRENCY: string;
};

export type Config = ServiceConfig &
  StripeConfig & {
    BILLING_TOKEN_KEYS: TokenKeys;
    STRIPE_WEBHOOK_SECRETS: string[];
    STRIPE_AUTOMATIC_TAX: boolean;
    STRIPE_TAX_ID_COLLECTION: boolean;
    STRIPE_PROMOTION_CODES: boolean;
  };

/** The configuration of the command that checks the account. */
export type CheckConfig = StripeConfig & { BRAND: string };

const httpAddress = Joi.string().uri({ scheme: ['http', 'https'] });
const optionalAddress = httpAddress.empty('');
const isOn = Joi.boolean().empty('').default(false);

const stripeVariables = {
  STRIPE_SECRET_KEY: variable.secret,
  STRIPE_API_BASE: optionalAddress,
  STRIPE_EVENTS: Joi.string().valid('webhook', 'poll').empty('').default('webhook'),
  STRIPE_WEBHOOK_URL: optionalAddress,
  PUBLIC_URL: variable.url('http', 'https'),
  // The price that the operator intends; a different price at Stripe is an error.
  PRICE_MINOR: Joi.number().integer().min(1).default(PRICE_MINOR),
  CURRENCY: Joi.string().lowercase().length(3).default(CURRENCY),
};

export const readCheckConfig = (env: Environment): CheckConfig =>
  loadConfig<CheckConfig>(
    { ...stripeVariables, BRAND: Joi.string().trim().max(40).empty('').default('Shortlist') },
    env,
  );

export const readConfig = (env: Environment): Config =>
  loadConfig<Config>(
    {
      ...serviceVariables,
      ...stripeVariables,
      BILLING_TOKEN_KEYS: variable.tokenKeys,
      // Several, so that a secret can be rolled over: a delivery may be signed with any of them.
      STRIPE_WEBHOOK_SECRETS: variable.secrets,
      STRIPE_AUTOMATIC_TAX: isOn,
      STRIPE_TAX_ID_COLLECTION: isOn,
      STRIPE_PROMOTION_CODES: isOn,
    },
    env,
  );

export const checkoutOptions = (config: Config) => ({
  automaticTax: config.STRIPE_AUTOMATIC_TAX,
  taxIds: config.STRIPE_TAX_ID_COLLECTION,
  promotionCodes: config.STRIPE_PROMOTION_CODES,
});

/** Whether this process reads events from Stripe; the processes without HTTP leave it to those with it. */
export const isPolling = ({ STRIPE_EVENTS, ROLES }: Config): boolean =>
  STRIPE_EVENTS === 'poll' && ROLES.includes('http');
