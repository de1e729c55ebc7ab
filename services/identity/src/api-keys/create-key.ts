import { type ApiKeyInput, SCOPES } from '@shortlist/contracts/api/api-keys';
import { days } from '@shortlist/contracts/durations';
import { API_KEYS_MAX } from '@shortlist/contracts/limits';
import type { SharedClock, Tx } from '@shortlist/kit/data/db';
import type { Caller } from '@shortlist/kit/http/service-token';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import { uuidv7 } from 'uuidv7';
import { lockAccount } from '../accounts/queries.ts';
import { findDeletion } from '../deletion/queries.ts';
import { type ApiKeyRow, countWorkingKeys, findKeyByHash, insertKey } from './queries.ts';
import { recordCreatedKey } from './record-key.ts';

type NewKey = ApiKeyInput & {
  userId: string;
  hash: string;
  hint: string;
  caller: Caller;
  clock: Clock;
  sharedClock: SharedClock;
};

const assertAllowed = async (tx: Tx, id: string, now: Date): Promise<void> => {
  if ((await findDeletion(tx, id)) !== null) throw createError('identity.deletion_pending');
  if ((await countWorkingKeys(tx, id, now)) >= API_KEYS_MAX) throw createError('identity.api_keys_full');
};

const rowOf = ({ userId, name, expiresInDays, hash, hint, ...input }: NewKey, now: Date): ApiKeyRow => ({
  id: uuidv7(),
  userId,
  name,
  scopes: SCOPES.filter((scope) => input.scopes.includes(scope)),
  keyHash: hash,
  hint,
  createdAt: now,
  expiresAt: expiresInDays === null ? null : new Date(now.getTime() + days(expiresInDays)),
  revokedAt: null,
  lastUsedDay: null,
  lastUsedNetwork: '',
});

/** Stores a key of the user. A repeated request returns the key that the first has stored. */
export const createKey = async (tx: Tx, order: NewKey): Promise<ApiKeyRow> => {
  const { userId, hash: keyHash, sharedClock } = order;
  // The lock makes concurrent creations count each other. A requested deletion and the account's own come before or after.
  const account = await lockAccount(tx, userId);
  if (account?.role !== 'user') throw createError('identity.user_not_found');
  const repeated = await findKeyByHash(tx, { userId, keyHash });
  if (repeated !== null) return repeated;
  const now = await sharedClock(tx);
  await assertAllowed(tx, userId, now);
  const key = rowOf(order, now);
  if (!(await insertKey(tx, key))) throw new Error('another account has the key');
  await recordCreatedKey(tx, key, order);
  return key;
};
