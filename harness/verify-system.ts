import { verifyEnvironment } from '@shortlist/local/system/processes';
import type { Installation } from '@shortlist/local/system';
import { verify } from '@shortlist/operator/verify/verify';
import { type Breach, openSources } from '@shortlist/operator/verify/sources';
import { readVerifyConfig } from '@shortlist/operator/config';

/** Checks every invariant of a running system. */
export const verifySystem = async ({
  backing,
  sandboxUrl,
  secrets,
  urls,
}: Installation): Promise<Breach[]> => {
  const stripeSecretKey = secrets.STRIPE_SECRET_KEY;
  const env = verifyEnvironment({ backing, secrets, stripeSecretKey, sandboxUrl, urls });
  const clock = () => new Date();
  const config = readVerifyConfig(env);
  const { sources, close } = await openSources({ config, env, image: 'worker', clock });
  try {
    const { breaches, unchecked } = await verify({ ...sources, now: clock() });
    const isUnreachable = ({ missing }: (typeof unchecked)[number]): boolean =>
      urls === undefined && missing.every((name) => name === 'earnings');
    const skipped = unchecked.filter((one) => !isUnreachable(one));
    if (skipped.length > 0) throw new Error(`${skipped.length} invariants were not checked`);
    return breaches;
  } finally {
    await close();
  }
};
