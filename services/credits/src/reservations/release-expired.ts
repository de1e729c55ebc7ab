import { type Db, inTransaction } from '@shortlist/kit/data/db';
import type { Clock } from '@shortlist/kit/process/clock';
import type { Log } from '@shortlist/kit/process/log';
import { listExpired, listExpiredOf, postponeExpiry } from './queries.ts';
import { releaseCredit } from './release-credit.ts';
import type { ReservationRow } from './reservation.entity.ts';

type Parts = { db: Db; clock: Clock; log: Log };

/** A reservation whose release failed is released again after this time, so that the ones behind it come first. */
const RETRY_SECONDS = 60;

/** Releases a reservation in its own transaction, so that a failure does not affect the others. */
const releaseOne = async ({ db, clock, log }: Parts, reservation: ReservationRow): Promise<boolean> => {
  try {
    const amounts = await inTransaction(db, (tx) =>
      releaseCredit(tx, reservation, { reason: 'expired', clock }),
    );
    return amounts !== null;
  } catch (error) {
    log.error({ err: error, reservation: reservation.id }, 'expired reservation not released');
    await postponeExpiry(db.manager, reservation.id, RETRY_SECONDS);
    return false;
  }
};

const releaseAll = async (parts: Parts, expired: ReservationRow[]): Promise<number> => {
  let released = 0;
  for (const reservation of expired) if (await releaseOne(parts, reservation)) released += 1;
  return released;
};

/** Releases a chunk of expired reservations. Concurrent runs release each once. */
export const releaseExpired = async (
  parts: Parts,
  limit: number,
): Promise<{ released: number; more: boolean }> => {
  const expired = await listExpired(parts.db.manager, limit);
  return { released: await releaseAll(parts, expired), more: expired.length === limit };
};

export const releaseExpiredOf = async (parts: Parts, userId: string): Promise<number> =>
  releaseAll(parts, await listExpiredOf(parts.db.manager, userId));
