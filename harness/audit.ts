import { auditEnvironment } from '@shortlist/local/system/processes';
import type { Installation } from '@shortlist/local/system';
import { audit } from '@shortlist/operator/audit/audit';
import { type Breach, openSources } from '@shortlist/operator/audit/sources';
import { readAuditConfig } from '@shortlist/operator/config';

/** Checks every invariant of a running system. */
export const auditSystem = async ({
  backing,
  sandboxUrl,
  secrets,
  urls,
}: Installation): Promise<Breach[]> => {
  const stripeSecretKey = secrets.STRIPE_SECRET_KEY;
  const env = auditEnvironment({
    backing,
    secrets,
    stripeSecretKey,
    sandboxUrl,
    billingUrl: urls?.billing,
  });
  const clock = () => new Date();
  const config = readAuditConfig(env);
  const { sources, close } = await openSources({ config, env, image: 'worker', clock });
  try {
    const { breaches, unchecked } = await audit({ ...sources, now: clock() });
    const isUnreachable = ({ missing }: (typeof unchecked)[number]): boolean =>
      urls === undefined && missing.every((name) => name === 'earnings');
    const skipped = unchecked.filter((one) => !isUnreachable(one));
    if (skipped.length > 0) throw new Error(`${skipped.length} invariants were not checked`);
    return breaches;
  } finally {
    await close();
  }
};
