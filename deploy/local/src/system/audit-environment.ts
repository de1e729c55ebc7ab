import { databaseUrl } from './databases.ts';
import { type Deployment, planProcesses, urlOf, usesSandbox } from './processes.ts';

/** The variables of the auditor, for every source of a system. */
export const auditEnvironment = (deployment: Deployment): Record<string, string> => {
  const { backing, secrets } = deployment;
  const address = (owner: Parameters<typeof databaseUrl>[2]): string =>
    databaseUrl(backing.databaseAdminUrl, secrets, owner);
  const billing = planProcesses(deployment).find(({ name }) => name === 'billing');
  return {
    IDENTITY_DATABASE_URL: address('identity'),
    PROFILE_DATABASE_URL: address('profile'),
    BILLING_DATABASE_URL: address('billing'),
    CREDITS_DATABASE_URL: address('credits'),
    WORKER_DATABASE_URL: address('worker'),
    KAFKA_BROKERS: backing.kafkaBrokers,
    SESSIONS_REDIS_URL: backing.sessionsRedisUrl,
    STRIPE_SECRET_KEY: billing?.env.STRIPE_SECRET_KEY ?? '',
    ...(usesSandbox(deployment.env)
      ? { STRIPE_API_BASE: urlOf(deployment, 'sandbox'), SANDBOX_URL: urlOf(deployment, 'sandbox') }
      : {}),
  };
};
