import Joi from 'joi';
import { databaseUrl, redisUrl } from '@shortlist/kit/data/variables';
import { type ConfigOf, type Environment, loadConfig, variable } from '@shortlist/kit/process/config';

const httpAddress = Joi.string()
  .uri({ scheme: ['http', 'https'] })
  .empty('');
const database = variable.optional(databaseUrl.empty(''));

/** The sources of `verify`. Invariants whose source is missing are not checked. */
export const verifyVariables = {
  // The database of the process in whose image the program runs.
  DATABASE_URL: database,
  IDENTITY_DATABASE_URL: database,
  PROFILE_DATABASE_URL: database,
  BILLING_DATABASE_URL: database,
  CREDITS_DATABASE_URL: database,
  WORKER_DATABASE_URL: database,
  SESSIONS_REDIS_URL: variable.optional(redisUrl.empty('')),
  STRIPE_SECRET_KEY: variable.optional(Joi.string().empty('')),
  STRIPE_API_BASE: httpAddress.default('https://api.stripe.com'),
  // billing, for the sums of the dashboard; its token keys are needed too.
  BILLING_URL: variable.optional(httpAddress),
  BILLING_TOKEN_KEYS: variable.optional(variable.tokenKeys.optional().empty('')),
  SANDBOX_URL: variable.optional(httpAddress),
};

export type VerifyConfig = ConfigOf<typeof verifyVariables>;

export const readVerifyConfig = (env: Environment): VerifyConfig => loadConfig(verifyVariables, env);
