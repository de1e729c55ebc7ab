import { billingEndpoints } from '@shortlist/contracts/api/billing';
import type { CreditPack } from '@shortlist/contracts/api/credit-buckets';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import { asService, type ServiceClient } from '@shortlist/kit/http/http-client';
import type { Clock } from '@shortlist/kit/process/clock';
import { applyPack } from '../buckets/change-bucket.ts';
import { listBucketsOf } from '../buckets/queries.ts';
import { applyPlanState } from '../windows/credit-window.ts';
import { findPlanState } from '../windows/queries.ts';

export type CatchUp = (userId: string) => Promise<void>;

type Parts = { db: Db; billing: ServiceClient; clock: Clock };

/** Those of the packs that are newer than what is stored, usually none: only these lock the account. */
const newerOf = async ({ db }: Parts, userId: string, packs: CreditPack[]): Promise<CreditPack[]> => {
  if (packs.length === 0) return [];
  const stored = await listBucketsOf(db.manager, userId);
  const versions = new Map(stored.map(({ id, version }) => [id, version]));
  return packs.filter(({ packId, version }) => version > (versions.get(packId) ?? 0));
};

/**
 * Reads a user's plan state and packs from billing, and applies what is newer as its events would, which may not have arrived yet (decision 2).
 */
export const createCatchUp =
  (parts: Parts): CatchUp =>
  async (userId) => {
    const { db, billing, clock } = parts;
    const { data } = await billing(
      billingEndpoints.getCreditSources,
      { userId },
      asService({ timeoutMs: 1_000 }),
    );
    const { version } = await findPlanState(db.manager, userId);
    if (data.planState.version > version)
      await inTransaction(db, (tx) => applyPlanState(tx, userId, { state: data.planState, clock }));
    for (const pack of await newerOf(parts, userId, data.packs))
      await inTransaction(db, (tx) => applyPack(tx, userId, { pack, clock }));
  };
