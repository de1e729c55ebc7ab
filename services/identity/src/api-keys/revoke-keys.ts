import type { Tx } from '@shortlist/kit/data/db';
import type { Caller } from '@shortlist/kit/http/service-token';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import { type ApiKeyRow, lockKey, lockKeysSince, markRevoked } from './queries.ts';
import { recordRevokedKey } from './record-key.ts';

type By = { caller: Caller; clock: Clock };

const revoke = async (tx: Tx, key: ApiKeyRow, by: By): Promise<void> => {
  await markRevoked(tx, key.id, by.clock());
  await recordRevokedKey(tx, key, by);
};

/** Ends a key of the user. Throws `identity.api_key_not_found`. A repeated revocation changes nothing. */
export const revokeKey = async (
  tx: Tx,
  { userId, keyId, ...by }: By & { userId: string; keyId: string },
): Promise<void> => {
  // The lock makes concurrent revocations one: it is emitted and recorded once.
  const key = await lockKey(tx, { id: keyId, userId });
  if (key === null) throw createError('identity.api_key_not_found');
  if (key.revokedAt === null) await revoke(tx, key, by);
};

const ALWAYS = new Date(0);

/** Ends the keys of an account that were made at `since` or later. Returns how many there were. */
export const revokeKeysSince = async (
  tx: Tx,
  { accountId, since = ALWAYS, ...by }: By & { accountId: string; since?: Date },
): Promise<number> => {
  const keys = await lockKeysSince(tx, accountId, since);
  for (const key of keys) await revoke(tx, key, by);
  return keys.length;
};
