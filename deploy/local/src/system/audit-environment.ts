import type { DatabaseOwner } from './databases.ts';

/** Where the auditor finds what it compares. */
export type AuditSources = {
  databaseUrl: (owner: DatabaseOwner) => string;
  kafkaBrokers: string;
  sessionsRedisUrl: string;
  stripeSecretKey: string;
  /** Null when payments and mails go to the providers themselves. */
  sandboxUrl: string | null;
};

/** The variables of the auditor. */
export const auditEnvironment = (sources: AuditSources): Record<string, string> => ({
  IDENTITY_DATABASE_URL: sources.databaseUrl('identity'),
  PROFILE_DATABASE_URL: sources.databaseUrl('profile'),
  BILLING_DATABASE_URL: sources.databaseUrl('billing'),
  CREDITS_DATABASE_URL: sources.databaseUrl('credits'),
  WORKER_DATABASE_URL: sources.databaseUrl('worker'),
  KAFKA_BROKERS: sources.kafkaBrokers,
  SESSIONS_REDIS_URL: sources.sessionsRedisUrl,
  STRIPE_SECRET_KEY: sources.stripeSecretKey,
  ...(sources.sandboxUrl === null
    ? {}
    : { STRIPE_API_BASE: sources.sandboxUrl, SANDBOX_URL: sources.sandboxUrl }),
});
