import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '@shortlist/kit/clock';
import type { Db } from '@shortlist/kit/db';
import { coded } from '@shortlist/kit/errors';
import { releaseLease, takeLease } from './queries.ts';

/** Longer than all the calls to the provider that one holder makes, each with its own time limit. */
const LEASE_MS = 60_000;
const PAUSE_MS = 40;

/**
 * Runs `work` while nobody else reads from or asks the provider for this person: what is read last is written last, and
 * parallel clicks find each other's result. It is a mark in a row and no row lock, so it may be held over slow
 * calls; a holder that dies loses it after a minute. Throws `billing.busy` when it is not free in `waitMs`.
 */
export const withLease = async <T>(
  { db, clock }: { db: Db; clock: Clock },
  { userId, waitMs }: { userId: string; waitMs: number },
  work: (holder: string) => Promise<T>,
): Promise<T> => {
  const holder = randomUUID();
  const giveUpAt = performance.now() + waitMs; // a clock that is set back makes nobody wait for longer
  for (;;) {
    const now = clock();
    if (await takeLease(db.manager, userId, { holder, now, until: new Date(now.getTime() + LEASE_MS) }))
      break;
    if (performance.now() >= giveUpAt) throw coded('billing.busy', { retryAfterSeconds: 2 });
    await sleep(PAUSE_MS);
  }
  try {
    return await work(holder);
  } finally {
    await releaseLease(db.manager, userId, holder);
  }
};
