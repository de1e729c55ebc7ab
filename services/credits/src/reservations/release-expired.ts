import type { Clock } from '@shortlist/kit/clock';
import { type Db, inTransaction } from '@shortlist/kit/db';
import { listExpired, listExpiredOf, type ReservationRow } from './queries.ts';
import { releaseCredit } from './release-credit.ts';

type Parts = { db: Db; clock: Clock };

const releaseAll = async ({ db, clock }: Parts, expired: ReservationRow[]): Promise<number> => {
  let released = 0;
  for (const reservation of expired) {
    const amounts = await inTransaction(db, (tx) =>
      releaseCredit(tx, reservation, { reason: 'expired', clock }),
    );
    if (amounts) released += 1;
  }
  return released;
};

/** Gives back what was held for longer than agreed, a chunk at a time. Two at once give each back once. */
export const releaseExpired = async (
  parts: Parts,
  limit: number,
): Promise<{ released: number; more: boolean }> => {
  const expired = await listExpired(parts.db.manager, parts.clock(), limit);
  return { released: await releaseAll(parts, expired), more: expired.length === limit };
};

export const releaseExpiredOf = async (parts: Parts, userId: string): Promise<number> =>
  releaseAll(parts, await listExpiredOf(parts.db.manager, userId, parts.clock()));
