import { actorOf, recordAction } from '@shortlist/audit/audit-log';
import { type ApiKeyInput, SCOPES } from '@shortlist/contracts/api/connected-apps';
import { days } from '@shortlist/contracts/durations';
import { apiKeyCreated, apiKeyRevoked } from '@shortlist/contracts/events/identity';
import { API_KEYS_MAX } from '@shortlist/contracts/limits';
import { endOf } from '@shortlist/contracts/api/endpoint';
import type { SharedClock, Tx } from '@shortlist/kit/data/db';
import type { Caller } from '@shortlist/kit/http/service-token';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import { uuidv7 } from 'uuidv7';
import { findDeletion } from '../accounts/deletion-queries.ts';
import { endRight } from '../accounts/end-right.ts';
import { lockAccount } from '../accounts/queries.ts';
import {
  type ApiKeyRow,
  countWorkingKeys,
  findKeyByHash,
  insertKey,
  lockKey,
  lockOpenKeys,
  markRevoked,
} from './queries.ts';

type By = { caller: Caller; clock: Clock };

/** The scopes as text, which the panel can show like any other value. */
const stateOf = ({ name, scopes, expiresAt }: ApiKeyRow) => ({
  name,
  scopes: scopes.join(', '),
  expiresAt: expiresAt?.toISOString() ?? null,
});

type NewKey = ApiKeyInput & By & { userId: string; hash: string; hint: string; sharedClock: SharedClock };

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

/** Emits and records a new key. Recorded because support must be able to explain keys. */
const recordCreation = async (tx: Tx, key: ApiKeyRow, { caller, clock }: By): Promise<void> => {
  const { id: keyId, userId, name, scopes, hint } = key;
  await emit(tx, apiKeyCreated, { subject: userId, data: { keyId, name, scopes, hint }, clock });
  const entry = { action: 'key.create', targetId: userId, after: stateOf(key) } as const;
  await recordAction(tx, { ...entry, ...actorOf(caller, userId), clock });
};

/** Stores a key of the user. A repeated request returns the key that the first one stored. */
export const createKey = async (tx: Tx, order: NewKey): Promise<ApiKeyRow> => {
  const { userId, hash: keyHash, sharedClock } = order;
  // The lock makes concurrent creations count each other, and serializes them with a deletion of the account.
  const account = await lockAccount(tx, userId);
  if (account?.role !== 'user') throw createError('identity.user_not_found');
  const repeated = await findKeyByHash(tx, { userId, keyHash });
  if (repeated !== null) return repeated;
  const now = await sharedClock(tx);
  await assertAllowed(tx, userId, now);
  const key = rowOf(order, now);
  if (!(await insertKey(tx, key))) throw new Error('another account has the key');
  await recordCreation(tx, key, order);
  return key;
};

type Revocation = By & { reason?: string };

/** Ends a key whose row is locked. */
const revoke = async (tx: Tx, key: ApiKeyRow, { reason, caller, clock }: Revocation): Promise<void> => {
  const { id: keyId, userId } = key;
  await markRevoked(tx, keyId, clock());
  await endRight(tx, endOf('key', keyId), { subject: userId, clock });
  await emit(tx, apiKeyRevoked, { subject: userId, data: { keyId }, clock });
  const after = reason === undefined ? null : { reason };
  const entry = { action: 'key.revoke', targetId: userId, before: stateOf(key), after } as const;
  await recordAction(tx, { ...entry, ...actorOf(caller, userId), clock });
};

/** Ends a key of the user; an admin gives a reason. Throws `identity.api_key_not_found`. A repeated revocation changes nothing. */
export const revokeKey = async (
  tx: Tx,
  { userId, keyId, ...by }: Revocation & { userId: string; keyId: string },
): Promise<void> => {
  // The lock lets only one of concurrent revocations be emitted and recorded.
  const key = await lockKey(tx, { id: keyId, userId });
  if (key === null) throw createError('identity.api_key_not_found');
  if (key.revokedAt === null) await revoke(tx, key, by);
};

/** Ends every key of an account. Returns how many there were. */
export const revokeKeys = async (
  tx: Tx,
  { accountId, ...by }: By & { accountId: string },
): Promise<number> => {
  const keys = await lockOpenKeys(tx, accountId);
  for (const key of keys) await revoke(tx, key, by);
  return keys.length;
};
