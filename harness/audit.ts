import { auditEnvironment } from '@shortlist/local/system/processes';
import type { Installation } from '@shortlist/local/system';
import { audit } from '@shortlist/operator/audit/audit';
import { type Breach, openSources } from '@shortlist/operator/audit/sources';
import { readAuditConfig } from '@shortlist/operator/config';

/** Checks every invariant of a running system. */
export const auditSystem = async ({ backing, sandboxUrl, secrets }: Installation): Promise<Breach[]> => {
  const stripeSecretKey = secrets.STRIPE_SECRET_KEY;
  const env = auditEnvironment({ backing, secrets, stripeSecretKey, sandboxUrl });
  const { sources, close } = await openSources({ config: readAuditConfig(env), env, image: 'worker' });
  try {
    const { breaches, unchecked } = await audit({ ...sources, now: new Date() });
    if (unchecked.length > 0) throw new Error(`${unchecked.length} invariants were not checked`);
    return breaches;
  } finally {
    await close();
  }
};
