import { type ApiKey, type KeyOwner, SCOPES } from '@shortlist/contracts/api/connected-apps';
import * as column from '@shortlist/kit/data/columns';
import type { Tx } from '@shortlist/kit/data/db';
import { defineEntity, type RowOf } from '@shortlist/kit/data/entity';
import { insertIfAbsent } from '@shortlist/kit/data/insert';
import type { PruneRule } from '@shortlist/kit/messaging/pruning';
import { IsNull, MoreThan } from 'typeorm';

export const apiKeyEntity = defineEntity('api_key', 'api_keys', {
  id: { ...column.uuid, primary: true },
  userId: column.uuid,
  name: column.varchar(60),
  scopes: column.listOf(SCOPES, 200),
  /** SHA-256 of the key, which identity never sees. */
  keyHash: column.char(43),
  hint: column.varchar(20),
  createdAt: column.dateTime,
  /** Null if the key does not expire. */
  expiresAt: column.nullable(column.dateTime),
  revokedAt: column.nullable(column.dateTime),
  /** YYYY-MM-DD in UTC; null before the first use. */
  lastUsedDay: column.nullable(column.char(10)),
  lastUsedNetwork: { ...column.varchar(50), default: '' },
});
export type ApiKeyRow = RowOf<typeof apiKeyEntity>;

/** An ended key is kept for its name in the credit history. */
const DAYS_AFTER_END = 400;

export const EXPIRED_API_KEYS: readonly PruneRule[] = [
  {
    days: DAYS_AFTER_END,
    remove: 'DELETE FROM api_keys WHERE revoked_at < ? ORDER BY revoked_at LIMIT ?',
  },
  {
    days: DAYS_AFTER_END,
    remove: 'DELETE FROM api_keys WHERE expires_at < ? ORDER BY expires_at LIMIT ?',
  },
];

/** Conditions for an active key at `now`: it is not revoked, and expires later or never. */
const working = (key: Partial<Pick<ApiKeyRow, 'userId' | 'keyHash'>>, now: Date) => [
  { ...key, revokedAt: IsNull(), expiresAt: IsNull() },
  { ...key, revokedAt: IsNull(), expiresAt: MoreThan(now) },
];

/** Newest first, including revoked and expired ones. */
export const listKeys = (tx: Tx, userId: string): Promise<ApiKeyRow[]> =>
  tx.getRepository(apiKeyEntity).find({ where: { userId }, order: { id: 'DESC' } });

export const listWorkingKeys = (tx: Tx, userId: string, now: Date): Promise<ApiKeyRow[]> =>
  tx.getRepository(apiKeyEntity).find({ where: working({ userId }, now), order: { id: 'DESC' } });

export const countWorkingKeys = (tx: Tx, userId: string, now: Date): Promise<number> =>
  tx.getRepository(apiKeyEntity).countBy(working({ userId }, now));

export const findWorkingKey = (tx: Tx, keyHash: string, now: Date): Promise<ApiKeyRow | null> =>
  tx.getRepository(apiKeyEntity).findOneBy(working({ keyHash }, now));

export const findKeyByHash = (
  tx: Tx,
  key: Pick<ApiKeyRow, 'userId' | 'keyHash'>,
): Promise<ApiKeyRow | null> => tx.getRepository(apiKeyEntity).findOneBy(key);

/** Returns false if the hash exists. The database's error would reveal it in the log. */
export const insertKey = async (tx: Tx, row: ApiKeyRow): Promise<boolean> =>
  (await insertIfAbsent(tx, apiKeyEntity, row)) === 1;

const lock = { mode: 'pessimistic_write' } as const;

/** Locks a key of the user until the end of the transaction. */
export const lockKey = (tx: Tx, key: Pick<ApiKeyRow, 'id' | 'userId'>): Promise<ApiKeyRow | null> =>
  tx.getRepository(apiKeyEntity).findOne({ where: key, lock });

/** Locks the keys of the user that are not revoked. */
export const lockOpenKeys = (tx: Tx, userId: string): Promise<ApiKeyRow[]> =>
  tx.getRepository(apiKeyEntity).find({ where: { userId, revokedAt: IsNull() }, order: { id: 'ASC' }, lock });

export const markRevoked = async (tx: Tx, id: string, revokedAt: Date): Promise<void> => {
  await tx.getRepository(apiKeyEntity).update({ id }, { revokedAt });
};

type Use = { keyId: string; day: string; network: string };

/**
 * Stores the day and the network of a use, unless a later day is stored, because uses are reported late and out of order. Does nothing if the
 * key is unknown or revoked.
 */
export const recordUse = async (tx: Tx, { keyId: id, day, network }: Use): Promise<void> => {
  await tx
    .getRepository(apiKeyEntity)
    .createQueryBuilder()
    .update()
    .set({ lastUsedDay: day, lastUsedNetwork: network })
    .where({ id, revokedAt: IsNull() })
    .andWhere('(last_used_day IS NULL OR last_used_day <= :day)', { day })
    .execute();
};

export const presentKey = (row: ApiKeyRow): ApiKey => {
  const { id, name, scopes, hint, createdAt, lastUsedDay: day, lastUsedNetwork: network } = row;
  return {
    id,
    name,
    scopes,
    hint,
    createdAt: createdAt.toISOString(),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    revokedAt: row.revokedAt?.toISOString() ?? null,
    lastUsed: day === null ? null : { day, network },
  };
};

export const presentOwner = (
  { id, userId, scopes, expiresAt }: ApiKeyRow,
  { isBeingDeleted }: { isBeingDeleted: boolean },
): KeyOwner => ({
  id,
  userId,
  scopes,
  expiresAt: expiresAt?.toISOString() ?? null,
  restriction: isBeingDeleted ? 'deletion' : null,
});
