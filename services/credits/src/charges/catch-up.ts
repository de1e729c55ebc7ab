import { billingEndpoints } from '@shortlist/contracts/api/billing';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import { asService, type ServiceClient } from '@shortlist/kit/http/http-client';
import type { Clock } from '@shortlist/kit/process/clock';
import { findAccount } from '../accounts/queries.ts';
import { applyPack } from '../balance/change-bucket.ts';
import { applyPlanState } from '../balance/apply-plan.ts';
import { listOtherBuckets } from '../buckets/queries.ts';

export type CatchUp = (userId: string) => Promise<void>;

/** Applies what billing has of a user's plan and packs and is newer, as its events would that may not have arrived yet (decision 2). */
export const createCatchUp =
  (db: Db, billing: ServiceClient, clock: Clock): CatchUp =>
  async (userId) => {
    const caller = asService({ timeoutMs: 1_000 });
    const { data } = await billing(billingEndpoints.getCreditSources, { userId }, caller);
    const { planVersion } = await findAccount(db.manager, userId);
    if (data.planState.version > planVersion)
      await inTransaction(db, (tx) => applyPlanState(tx, userId, data.planState, clock));
    const stored = data.packs.length === 0 ? [] : await listOtherBuckets(db.manager, userId);
    const versions = new Map(stored.map(({ source, version }) => [source, version]));
    for (const pack of data.packs)
      if (pack.version > (versions.get(pack.packId) ?? 0))
        await inTransaction(db, (tx) => applyPack(tx, userId, pack, clock));
  };
