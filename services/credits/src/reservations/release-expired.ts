import type { Clock } from '@shortlist/kit/process/clock';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import type { Log } from '@shortlist/kit/process/log';
import { listExpired, listExpiredOf, postponeExpiry, type ReservationRow } from './queries.ts';
import { releaseCredit } from './release-credit.ts';

type Parts = { db: Db; clock: Clock; log: Log };

/** After a failure a hold waits for this long, so that those behind it come first. */
const AGAIN_SECONDS = 60;

/** Each hold by itself: one that cannot be given back keeps nobody else's credit from them. */
const releaseOne = async ({ db, clock, log }: Parts, reservation: ReservationRow): Promise<boolean> => {
  try {
    const amounts = await inTransaction(db, (tx) =>
      releaseCredit(tx, reservation, { reason: 'expired', clock }),
    );
    return amounts !== null;
  } catch (error) {
    log.error({ err: error, reservation: reservation.id }, 'an expired hold could not be given back');
    await postponeExpiry(db.manager, reservation.id, AGAIN_SECONDS);
    return false;
  }
};

const releaseAll = async (parts: Parts, expired: ReservationRow[]): Promise<number> => {
  let released = 0;
  for (const reservation of expired) if (await releaseOne(parts, reservation)) released += 1;
  return released;
};

/** Gives back what was held for longer than agreed, a chunk at a time. Two at once give each back once. */
export const releaseExpired = async (
  parts: Parts,
  limit: number,
): Promise<{ released: number; more: boolean }> => {
  const expired = await listExpired(parts.db.manager, limit);
  return { released: await releaseAll(parts, expired), more: expired.length === limit };
};

export const releaseExpiredOf = async (parts: Parts, userId: string): Promise<number> =>
  releaseAll(parts, await listExpiredOf(parts.db.manager, userId));
