import type { ApiKey, KeyOwner, Scope } from '@shortlist/contracts/api/connected-apps';
import type { Tx } from '@shortlist/kit/data/db';
import { insertIfAbsent } from '@shortlist/kit/data/insert';
import type { PruneRule } from '@shortlist/kit/messaging/pruning';
import { EntitySchema, IsNull, MoreThan } from 'typeorm';
import { scopeList } from '../tools/queries.ts';

export type ApiKeyRow = {
  id: string;
  userId: string;
  name: string;
  scopes: Scope[];
  /** SHA-256 of the key, which identity never sees. */
  keyHash: string;
  hint: string;
  createdAt: Date;
  /** Null if the key does not expire. */
  expiresAt: Date | null;
  revokedAt: Date | null;
  /** YYYY-MM-DD in UTC; null before the first use. */
  lastUsedDay: string | null;
  lastUsedNetwork: string;
};

export const apiKeyEntity = new EntitySchema<ApiKeyRow>({
  name: 'api_key',
  tableName: 'api_keys',
  columns: {
    id: { type: 'char', length: 36, primary: true },
    userId: { name: 'user_id', type: 'char', length: 36 },
    name: { type: 'varchar', length: 60 },
    scopes: { type: 'varchar', length: 200, transformer: scopeList },
    keyHash: { name: 'key_hash', type: 'char', length: 43 },
    hint: { type: 'varchar', length: 20 },
    createdAt: { name: 'created_at', type: 'datetime', precision: 3 },
    expiresAt: { name: 'expires_at', type: 'datetime', precision: 3, nullable: true },
    revokedAt: { name: 'revoked_at', type: 'datetime', precision: 3, nullable: true },
    lastUsedDay: { name: 'last_used_day', type: 'char', length: 10, nullable: true },
    lastUsedNetwork: { name: 'last_used_network', type: 'varchar', length: 50, default: '' },
  },
});

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
