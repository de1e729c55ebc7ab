// Compares billing's records and the dashboard's sums with what the provider has, as `make verify` does.
import { billingEndpoints } from '@shortlist/contracts/api/billing';
import { asService } from '@shortlist/kit/http/http-client';
import { openReader } from '@shortlist/kit/data/reader';
import { earningsAgree } from '@shortlist/operator/verify/earnings';
import { packsArePaid } from '@shortlist/operator/verify/packs';
import { plansHavePrices } from '@shortlist/operator/verify/plans';
import { recordsAgree } from '@shortlist/operator/verify/records';
import type { Sources } from '@shortlist/operator/verify/sources';
import { type Billing, KEY } from '../../services/billing/test/support.ts';

/** The differences that `verify` finds. */
export const verifyBooks = async ({ databaseUrl, sandbox, call, clock }: Billing): Promise<string[]> => {
  const billing = await openReader(databaseUrl);
  const year = { period: 'year', timeZone: 'UTC' } as const;
  const sources = {
    billing,
    provider: { url: sandbox.url, key: KEY },
    earnings: async () => (await call(billingEndpoints.earnings, year, asService())).data,
    now: clock(),
  } as unknown as Sources; // what the invariants read
  try {
    const breaches = [];
    for (const { find } of [recordsAgree, plansHavePrices, packsArePaid, earningsAgree])
      breaches.push(...(await find(sources)));
    return breaches.map(({ detail }) => detail);
  } finally {
    await billing.close();
  }
};
