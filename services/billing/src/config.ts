import Joi from 'joi';
import type { PackOffer, Price } from '@shortlist/contracts/api/billing';
import {
  CURRENCY,
  PACK_CREDITS,
  PACK_PRICE_MINOR,
  PRICE_MINOR,
  YEARLY_PRICE_MINOR,
} from '@shortlist/contracts/limits';
import { redisUrl } from '@shortlist/kit/data/variables';
import { type ConfigOf, type Environment, loadConfig, variable } from '@shortlist/kit/process/config';
import { serviceVariables } from '@shortlist/kit/service';
import type { TrialPolicy } from './trials/offered-trial.ts';
import { createTrialKeys } from './trials/trial-keys.ts';

const httpAddress = Joi.string().uri({ scheme: ['http', 'https'] });
const optionalAddress = variable.optional(httpAddress.empty(''));
const isOn = Joi.boolean().empty('').default(false);

/** The Stripe account and its expected contents. */
const stripeVariables = {
  STRIPE_SECRET_KEY: variable.secret,
  STRIPE_API_BASE: optionalAddress,
  // Stripe serves 100 a second, or 25 in test mode.
  STRIPE_CALLS_PER_SECOND: Joi.number().integer().min(1).max(10_000).empty('').default(80),
  STRIPE_EVENTS: variable.oneOf('webhook', 'poll').empty('').default('webhook'),
  STRIPE_WEBHOOK_URL: optionalAddress,
  PUBLIC_URL: variable.url('http', 'https'),
  // The intended price; a different price at Stripe is an error.
  PRICE_MINOR: Joi.number().integer().min(1).default(PRICE_MINOR),
  CURRENCY: Joi.string().lowercase().length(3).default(CURRENCY),
  // The intended price of a year, in CURRENCY; 0 sells none.
  YEARLY_PRICE_MINOR: Joi.number().integer().min(0).empty('').default(YEARLY_PRICE_MINOR),
  // The intended price of a pack, in CURRENCY; 0 sells none.
  PACK_PRICE_MINOR: Joi.number().integer().min(0).empty('').default(PACK_PRICE_MINOR),
  PACK_CREDITS: Joi.number().integer().min(1).max(1_000_000).empty('').default(PACK_CREDITS),
};

/** The trial of new subscribers. */
const trialVariables = {
  // 0 sells none.
  TRIAL_DAYS: Joi.number().integer().min(0).max(30).empty('').default(0),
  // Several, so that the key can be replaced.
  TRIAL_KEY: variable
    .optional(variable.secrets.empty(''))
    .when('TRIAL_DAYS', { not: 0, then: Joi.required() }),
};

export type StripeConfig = ConfigOf<typeof stripeVariables>;

/** The price of a year to sell, or null. */
export const configuredYear = ({
  YEARLY_PRICE_MINOR: amount,
  CURRENCY: currency,
}: StripeConfig): Price | null => (amount === 0 ? null : { amount, currency });

/** The pack to sell, or null. */
export const configuredPack = (config: StripeConfig): PackOffer | null =>
  config.PACK_PRICE_MINOR === 0
    ? null
    : { credits: config.PACK_CREDITS, amount: config.PACK_PRICE_MINOR, currency: config.CURRENCY };

/** The variables of the command that checks the account. */
export const checkVariables = {
  ...stripeVariables,
  BRAND: Joi.string().trim().max(40).empty('').default('Shortlist'),
};

export const readCheckConfig = (env: Environment): ConfigOf<typeof checkVariables> =>
  loadConfig(checkVariables, env);

/** Payment policies that Stripe leaves to the business (docs/product.md). */
const policyVariables = {
  UNPAID_INVOICES: variable.oneOf('void', 'keep').empty('').default('void'),
  LATE_PAYMENTS: variable.oneOf('period', 'refund').empty('').default('period'),
  OLDER_DISPUTES: variable.oneOf('end', 'keep').empty('').default('end'),
};

export const variables = {
  ...serviceVariables,
  ...stripeVariables,
  ...policyVariables,
  ...trialVariables,
  // The processes share their budget of calls to Stripe in it.
  QUEUE_REDIS_URL: redisUrl,
  BILLING_TOKEN_KEYS: variable.tokenKeys,
  // Several, so that a secret can be rotated: a delivery may be signed with any of them.
  STRIPE_WEBHOOK_SECRETS: variable.secrets,
  STRIPE_AUTOMATIC_TAX: isOn,
  STRIPE_TAX_ID_COLLECTION: isOn,
  STRIPE_PROMOTION_CODES: Joi.boolean().empty('').default(true),
};

export type Config = ConfigOf<typeof variables>;

export const readConfig = (env: Environment): Config => loadConfig(variables, env);

export const checkoutOptions = (config: Config) => ({
  automaticTax: config.STRIPE_AUTOMATIC_TAX,
  taxIds: config.STRIPE_TAX_ID_COLLECTION,
  promotionCodes: config.STRIPE_PROMOTION_CODES,
});

/**
 * `unpaidInvoices`: those of a subscription that ended unpaid. `latePayments`: those for a period that is over. `olderDisputes`: lost disputes
 * of older payments.
 */
export type Policies = {
  unpaidInvoices: Config['UNPAID_INVOICES'];
  latePayments: Config['LATE_PAYMENTS'];
  olderDisputes: Config['OLDER_DISPUTES'];
};

export const readPolicies = (config: Config): Policies => ({
  unpaidInvoices: config.UNPAID_INVOICES,
  latePayments: config.LATE_PAYMENTS,
  olderDisputes: config.OLDER_DISPUTES,
});

export const readTrialPolicy = ({ TRIAL_DAYS: days, TRIAL_KEY: secrets }: Config): TrialPolicy => ({
  days,
  keys: secrets === undefined ? null : createTrialKeys(secrets),
});

/** Whether this process polls Stripe's events; only processes with HTTP do. */
export const isPolling = ({ STRIPE_EVENTS, ROLES }: Config): boolean =>
  STRIPE_EVENTS === 'poll' && ROLES.includes('http');
