import { billingEndpoints, type CreditPack } from '@shortlist/contracts/api/billing';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import { asService, type ServiceClient } from '@shortlist/kit/http/http-client';
import type { Clock } from '@shortlist/kit/process/clock';
import { findPlanState } from '../accounts/queries.ts';
import { applyPack } from '../balance/change-bucket.ts';
import { applyPlanState } from '../buckets/open-bucket.ts';
import { listOtherBuckets } from '../buckets/queries.ts';

export type CatchUp = (userId: string) => Promise<void>;

/** Those of the packs that are newer than what is stored, usually none: only these lock the account. */
const newerOf = async (db: Db, userId: string, packs: CreditPack[]): Promise<CreditPack[]> => {
  if (packs.length === 0) return [];
  const stored = await listOtherBuckets(db.manager, userId);
  const versions = new Map(stored.map(({ source, version }) => [source, version]));
  return packs.filter(({ packId, version }) => version > (versions.get(packId) ?? 0));
};

/**
 * Reads a user's plan state and packs from billing, and applies what is newer as its events would, which may not have arrived yet (decision 2).
 */
export const createCatchUp =
  (db: Db, billing: ServiceClient, clock: Clock): CatchUp =>
  async (userId) => {
    const caller = asService({ timeoutMs: 1_000 });
    const { data } = await billing(billingEndpoints.getCreditSources, { userId }, caller);
    const { version } = await findPlanState(db.manager, userId);
    if (data.planState.version > version)
      await inTransaction(db, (tx) => applyPlanState(tx, userId, data.planState, clock));
    for (const pack of await newerOf(db, userId, data.packs))
      await inTransaction(db, (tx) => applyPack(tx, userId, pack, clock));
  };
