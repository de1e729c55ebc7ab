import type { Installation } from '@shortlist/local/system';
import { audit } from '@shortlist/operator/audit/audit';
import { openSources } from '@shortlist/operator/audit/open-sources';
import type { Breach } from '@shortlist/operator/audit/sources';
import { readAuditConfig } from '@shortlist/operator/config';

/** Checks every invariant of a running system. */
export const auditSystem = async ({ backing, sandboxUrl, secrets }: Installation): Promise<Breach[]> => {
  const address = (database: string): string => {
    const url = new URL(backing.databaseAdminUrl);
    url.pathname = `/${database}`;
    return url.href;
  };
  const env = {
    IDENTITY_DATABASE_URL: address('identity'),
    PROFILE_DATABASE_URL: address('profile'),
    BILLING_DATABASE_URL: address('billing'),
    CREDITS_DATABASE_URL: address('credits'),
    WORKER_DATABASE_URL: address('worker'),
    KAFKA_BROKERS: backing.kafkaBrokers,
    SESSIONS_REDIS_URL: backing.sessionsRedisUrl,
    STRIPE_SECRET_KEY: secrets.STRIPE_SECRET_KEY,
    STRIPE_API_BASE: sandboxUrl,
    SANDBOX_URL: sandboxUrl,
  };
  const { sources, close } = await openSources({ config: readAuditConfig(env), env, image: 'worker' });
  try {
    const { breaches, unchecked } = await audit({ ...sources, now: new Date() });
    if (unchecked.length > 0) throw new Error(`${unchecked.length} invariants were not checked`);
    return breaches;
  } finally {
    await close();
  }
};
