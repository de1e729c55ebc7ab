import { auditEnvironment } from '@shortlist/local/audit-environment';
import type { Installation } from '@shortlist/local/system';
import { audit } from '@shortlist/operator/audit/audit';
import { type Breach, openSources } from '@shortlist/operator/audit/sources';
import { readAuditConfig } from '@shortlist/operator/config';

/** Checks every invariant of a running system. */
export const auditSystem = async ({ backing, sandboxUrl, secrets }: Installation): Promise<Breach[]> => {
  const databaseUrl = (owner: string): string => {
    const url = new URL(backing.databaseAdminUrl);
    url.pathname = `/${owner}`;
    return url.href;
  };
  const { kafkaBrokers, sessionsRedisUrl } = backing;
  const stripe = { stripeSecretKey: secrets.STRIPE_SECRET_KEY, sandboxUrl };
  const env = auditEnvironment({ databaseUrl, kafkaBrokers, sessionsRedisUrl, ...stripe });
  const { sources, close } = await openSources({ config: readAuditConfig(env), env, image: 'worker' });
  try {
    const { breaches, unchecked } = await audit({ ...sources, now: new Date() });
    if (unchecked.length > 0) throw new Error(`${unchecked.length} invariants were not checked`);
    return breaches;
  } finally {
    await close();
  }
};
