import { verificationEndpoints } from '@shortlist/contracts/api/system';
import { seconds } from '@shortlist/contracts/durations';
import { asService, createServiceClient } from '@shortlist/kit/http/http-client';
import { createServicePool } from '@shortlist/kit/http/service-pool';
import { createTokenSigner } from '@shortlist/kit/http/service-token';
import type { Clock } from '@shortlist/kit/process/clock';
import type { VerifyConfig } from '../config.ts';
import type { FoundBreach, VerifyResult } from './verify.ts';

const TIMEOUT_MS = seconds(10);

/** The breaches by invariant. Their details stay in the output: they can have amounts, which not every admin sees. */
const countByInvariant = (breaches: readonly FoundBreach[]) =>
  [...Map.groupBy(breaches, ({ about }) => about)].map(([about, found]) => ({
    invariant: found[0]?.invariant ?? '',
    about,
    breaches: found.length,
  }));

/** Has worker record the result, for the System screen and the metrics: a job ends before Prometheus could scrape it. */
export const reportResult = async (
  { url, keys, clock }: { url: string; keys: NonNullable<VerifyConfig['WORKER_TOKEN_KEYS']>; clock: Clock },
  { checked, unchecked, breaches }: VerifyResult,
): Promise<void> => {
  const pool = createServicePool(url);
  const sign = createTokenSigner({ keys: { worker: keys }, clock });
  const ask = createServiceClient({ audience: 'worker', pool, sign });
  const report = { checked, unchecked: unchecked.length, breached: countByInvariant(breaches) };
  try {
    await ask(verificationEndpoints.reportVerification, report, asService({ timeoutMs: TIMEOUT_MS }));
  } finally {
    await pool.close();
  }
};
