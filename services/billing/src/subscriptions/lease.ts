import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '@shortlist/kit/data/db';
import { createError } from '@shortlist/kit/process/errors';
import { releaseLease, renewLease, takeLease } from './queries.ts';

/** What a holder that dies leaves behind keeps others out for this long; one that lives renews it. */
const LEASE_SECONDS = 10;
const RENEW_MS = 3_000;
const PAUSE_MS = 40;

/**
 * Runs `work` while nobody else reads from or asks the provider for this person: what is read last is written last, and
 * parallel clicks find each other's result. It is a mark in a row and no row lock, so it may be held over slow
 * calls; a holder that dies loses it after ten seconds. Its time is the database's, the one clock that all holders share.
 * Throws `billing.busy` when it is not free in `waitMs`.
 */
export const withLease = async <T>(
  { db }: { db: Db },
  { userId, waitMs }: { userId: string; waitMs: number },
  work: (holder: string) => Promise<T>,
): Promise<T> => {
  const holder = randomUUID();
  const giveUpAt = performance.now() + waitMs; // a clock that is set back makes nobody wait for longer
  while (!(await takeLease(db.manager, userId, { holder, seconds: LEASE_SECONDS }))) {
    if (performance.now() >= giveUpAt) throw createError('billing.busy', { retryAfterSeconds: 2 });
    await sleep(PAUSE_MS);
  }
  const renew = (): void =>
    // Not renewed, it may pass to another; the writing asks whose it is, so no more is lost than this reading.
    void renewLease(db.manager, userId, { holder, seconds: LEASE_SECONDS }).catch(() => undefined);
  const renewing = setInterval(renew, RENEW_MS);
  try {
    return await work(holder);
  } finally {
    clearInterval(renewing);
    await releaseLease(db.manager, userId, holder);
  }
};
