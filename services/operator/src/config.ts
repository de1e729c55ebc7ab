import Joi from 'joi';
import { databaseUrl, redisUrl } from '@shortlist/kit/data/variables';
import { type Environment, loadConfig } from '@shortlist/kit/process/config';

/** What the auditor reads. A missing source leaves the invariants that need it unchecked. */
export type AuditConfig = {
  DATABASE_URL?: string;
  IDENTITY_DATABASE_URL?: string;
  PROFILE_DATABASE_URL?: string;
  BILLING_DATABASE_URL?: string;
  CREDITS_DATABASE_URL?: string;
  WORKER_DATABASE_URL?: string;
  SESSIONS_REDIS_URL?: string;
  STRIPE_SECRET_KEY?: string;
  STRIPE_API_BASE: string;
  SANDBOX_URL?: string;
};

const httpAddress = Joi.string()
  .uri({ scheme: ['http', 'https'] })
  .empty('');
const database = databaseUrl.optional().empty('');

export const readAuditConfig = (env: Environment): AuditConfig =>
  loadConfig<AuditConfig>(
    {
      // The database of the process in whose image the program runs.
      DATABASE_URL: database,
      IDENTITY_DATABASE_URL: database,
      PROFILE_DATABASE_URL: database,
      BILLING_DATABASE_URL: database,
      CREDITS_DATABASE_URL: database,
      WORKER_DATABASE_URL: database,
      SESSIONS_REDIS_URL: redisUrl.optional().empty(''),
      STRIPE_SECRET_KEY: Joi.string().empty(''),
      STRIPE_API_BASE: httpAddress.default('https://api.stripe.com'),
      SANDBOX_URL: httpAddress,
    },
    env,
  );
