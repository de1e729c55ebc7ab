import Joi from 'joi';
import { databaseUrl, redisUrl } from '@shortlist/kit/data/variables';
import {
  type ConfigOf,
  type Environment,
  loadConfig,
  serverVariables,
  variable,
} from '@shortlist/kit/process/config';

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
  // worker, which records the result of a run over every database; its token keys are needed too.
  WORKER_URL: variable.optional(httpAddress),
  WORKER_TOKEN_KEYS: variable.optional(variable.tokenKeys.optional().empty('')),
};

export type VerifyConfig = ConfigOf<typeof verifyVariables>;

export const readVerifyConfig = (env: Environment): VerifyConfig => loadConfig(verifyVariables, env);

/** A public key of age, which can only encrypt. */
const RECIPIENT = /^age1[02-9ac-hj-np-z]{58}$/;

const parseRecipients = (text: string): void => {
  if (text.split(',').some((part) => !RECIPIENT.test(part.trim())))
    throw new Error('not a public key of age');
};

/** An absolute path, or `remote:path` of rclone. */
const storeAddress = Joi.string()
  .pattern(/^(\/[^:]*|[\w-]+:[^\s]*)$/)
  .required();

export const listVariables = { BACKUP_STORE: storeAddress };

/** Of `shortlist backup`. */
export const backupVariables = {
  ...listVariables,
  BACKUP_RECIPIENTS: variable.parsedBy(parseRecipients),
  BACKUP_DATABASE_URL: databaseUrl,
  VERSION: serverVariables.VERSION,
};

/** Of the commands that decrypt. */
export const keyVariables = { ...listVariables, BACKUP_KEY_FILE: Joi.string().required() };

/** Where a verification reports its success; without it, nowhere. */
export const reportVariables = { BACKUP_DATABASE_URL: database };

/** Of the server to which databases are restored. */
export const restorePassword = Joi.string().required();
