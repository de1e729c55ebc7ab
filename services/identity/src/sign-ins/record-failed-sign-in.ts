import type { SignInMethod, SignInOrigin } from '@shortlist/contracts/api/sign-ins';
import { loginFailed, loginLocked } from '@shortlist/contracts/events/sign-ins';
import type { Tx } from '@shortlist/kit/data/db';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Clock } from '@shortlist/kit/process/clock';
import { uuidv7 } from 'uuidv7';
import { deleteBeyondLimit, findLatest, insertSignIn, updateSignIn, wasLockedSince } from './queries.ts';

type Failure = { accountId: string; method: SignInMethod; isLocking: boolean; origin: SignInOrigin };

const DAY_MS = 24 * 60 * 60 * 1000;

/** Failures in a row are one entry, so that an attack does not push the user's own log-ins out of the history. */
const addFailure = async (tx: Tx, { accountId, method, origin }: Failure, at: Date) => {
  const latest = await findLatest(tx, accountId);
  const continues = latest?.outcome === 'failed' && latest.method === method;
  if (continues && at.getTime() - latest.at.getTime() < DAY_MS) {
    const attempts = latest.attempts + 1;
    await updateSignIn(tx, latest.id, { at, attempts, ...origin });
    return { id: latest.id, attempts };
  }
  const id = uuidv7();
  await insertSignIn(tx, {
    ...{ id, accountId, at, outcome: 'failed', method, attempts: 1, ...origin },
    ...{ sessionId: null, isNewDevice: false, lockedAt: null },
  });
  await deleteBeyondLimit(tx, accountId);
  return { id, attempts: 1 };
};

/**
 * Adds a failed log-in to the history of the account, and reports that it locked the account at most once a day. The caller has locked
 * the account's row, which makes failures at the same moment one entry.
 */
export const recordFailedSignIn = async (tx: Tx, failure: Failure, clock: Clock): Promise<void> => {
  const { accountId: subject, method, isLocking, origin } = failure;
  const at = clock();
  const wasLocked = await wasLockedSince(tx, subject, new Date(at.getTime() - DAY_MS));
  const { id, attempts } = await addFailure(tx, failure, at);
  await emit(tx, loginFailed, { subject, data: { ...origin, method, attempts }, clock });
  if (!isLocking || wasLocked) return;
  await updateSignIn(tx, id, { lockedAt: at });
  await emit(tx, loginLocked, { subject, data: origin, clock });
};
