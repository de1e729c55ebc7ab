import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '@shortlist/kit/data/db';
import { createError } from '@shortlist/kit/process/errors';
import { type Lease, releaseLease, renewLease, takeLease } from '../subscriptions/queries.ts';

/** The lease of an owner that died expires after this time; a live owner renews it. */
const LEASE_SECONDS = 10;
const RENEW_MS = 3_000;
const PAUSE_MS = 40;

/** Times that a test replaces. */
export type Limits = {
  /** After which an action of a user ends; see `withDeadline`. */
  deadlineMs?: number;
  /** How long every action waits for a lease. */
  leaseWaitMs?: number;
  leaseRenewMs?: number;
};

/**
 * Runs `work` while no other process reads this user from Stripe or orders for this user: the snapshot that was read last is
 * written last, and parallel requests find each other's result. The lease is a mark in the row and no row lock, so it may span
 * slow calls. Its time is the database's, which all owners share. Throws `billing.busy` when it is not free within `waitMs`.
 */
export const withLease = async <T>(
  { db, limits = {} }: { db: Db; limits?: Limits },
  { userId, waitMs }: { userId: string; waitMs: number },
  work: (lease: Lease) => Promise<T>,
): Promise<T> => {
  const lease = { userId, owner: randomUUID() };
  const giveUpAt = performance.now() + (limits.leaseWaitMs ?? waitMs); // monotonic: a wall clock that is set back would prolong the wait
  while (!(await takeLease(db.manager, lease, LEASE_SECONDS))) {
    if (performance.now() >= giveUpAt) throw createError('billing.busy', { retryAfterSeconds: 2 });
    await sleep(PAUSE_MS);
  }
  const renew = (): void =>
    // A lease that is not renewed may pass to another owner; every write checks the owner, so only this attempt is lost.
    void renewLease(db.manager, lease, LEASE_SECONDS).catch(() => undefined);
  const renewing = setInterval(renew, limits.leaseRenewMs ?? RENEW_MS);
  try {
    return await work(lease);
  } finally {
    clearInterval(renewing);
    await releaseLease(db.manager, lease);
  }
};
