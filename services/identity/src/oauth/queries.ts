// Requests, codes and tokens of the authorization server. `payload` is the library's data, with the value itself replaced by its hash.
import { SCOPES, type TokenOwner } from '@shortlist/contracts/api/connected-apps';
import * as column from '@shortlist/kit/data/columns';
import type { SharedClock, Tx } from '@shortlist/kit/data/db';
import { defineEntity, type RowOf } from '@shortlist/kit/data/entity';
import { insertIfAbsent } from '@shortlist/kit/data/insert';
import type { PruneRule } from '@shortlist/kit/messaging/pruning';
import { createError } from '@shortlist/kit/process/errors';
import type { AdapterPayload } from 'oidc-provider';
import { IsNull, MoreThan } from 'typeorm';
import { findDeletion } from '../accounts/deletion-queries.ts';
import { findWorkingConnection } from '../tools/connection-queries.ts';

export const artifactEntity = defineEntity('oauth_artifact', 'oauth_artifacts', {
  idHash: { ...column.char(43), primary: true },
  /** The library's name for its kind, such as `RefreshToken`. */
  model: column.varchar(30),
  connectionId: column.nullable(column.uuid),
  userCodeHash: column.nullable(column.char(43)),
  payload: column.text,
  createdAt: column.dateTime,
  expiresAt: column.dateTime,
  consumedAt: column.nullable(column.dateTime),
  /** When the app last polled with its device code. */
  polledAt: column.nullable(column.dateTime),
});
type ArtifactRow = RowOf<typeof artifactEntity>;
export type Artifact = Omit<ArtifactRow, 'payload'> & { payload: AdapterPayload };

/**
 * An unapproved request is deleted once it expires, because anyone can create one. Whatever was issued is kept for a day after its end, to
 * distinguish it from what never existed; used tokens for a week, to detect a second use.
 */
export const EXPIRED_ARTIFACTS: readonly PruneRule[] = [
  {
    days: 0,
    remove: `DELETE FROM oauth_artifacts WHERE expires_at < ? AND connection_id IS NULL
      ORDER BY expires_at LIMIT ?`,
  },
  { days: 1, remove: 'DELETE FROM oauth_artifacts WHERE expires_at < ? ORDER BY expires_at LIMIT ?' },
  { days: 7, remove: 'DELETE FROM oauth_artifacts WHERE consumed_at < ? ORDER BY consumed_at LIMIT ?' },
];

const artifactOf = (row: ArtifactRow | null): Artifact | null =>
  row && { ...row, payload: JSON.parse(row.payload) as AdapterPayload };

type Key = Pick<Artifact, 'model' | 'idHash'>;

export const findArtifact = async (tx: Tx, key: Key): Promise<Artifact | null> =>
  artifactOf(await tx.getRepository(artifactEntity).findOneBy(key));

const findUnexpired = async (tx: Tx, key: Key, now: Date): Promise<Artifact | null> =>
  artifactOf(await tx.getRepository(artifactEntity).findOneBy({ ...key, expiresAt: MoreThan(now) }));

/** Locks a request until the end of the transaction. */
export const lockArtifact = async (
  tx: Tx,
  where: Key | { model: string; userCodeHash: string },
): Promise<Artifact | null> =>
  artifactOf(await tx.getRepository(artifactEntity).findOne({ where, lock: { mode: 'pessimistic_write' } }));

/** Throws if the hash exists; the library generates random values. */
export const insertArtifact = async (tx: Tx, artifact: Artifact): Promise<void> => {
  const row = { ...artifact, payload: JSON.stringify(artifact.payload) };
  if ((await insertIfAbsent(tx, artifactEntity, row)) !== 1) throw new Error('the value was issued before');
};

/** Stores what was decided about a request. */
export const decideArtifact = async (
  tx: Tx,
  { idHash }: Pick<Artifact, 'idHash'>,
  { payload, connectionId }: Pick<Artifact, 'payload' | 'connectionId'>,
): Promise<void> => {
  const change = { payload: JSON.stringify(payload), connectionId };
  await tx.getRepository(artifactEntity).update({ idHash }, change);
};

/** Marks a code or a token as used. Returns false if it already is: only one of concurrent uses counts. */
export const consumeArtifact = async (tx: Tx, key: Key, consumedAt: Date): Promise<boolean> => {
  const { affected } = await tx
    .getRepository(artifactEntity)
    .update({ ...key, consumedAt: IsNull() }, { consumedAt });
  return affected === 1;
};

export const markPolled = async (tx: Tx, key: Key, polledAt: Date): Promise<void> => {
  await tx.getRepository(artifactEntity).update(key, { polledAt });
};

export const deleteArtifact = async (tx: Tx, key: Key): Promise<void> => {
  await tx.getRepository(artifactEntity).delete(key);
};

/** What the access token with this hash allows now. Throws `identity.token_not_found`. */
export const getTokenOwner = async (
  tx: Tx,
  idHash: string,
  sharedClock: SharedClock,
): Promise<TokenOwner> => {
  const now = await sharedClock(tx);
  const token = await findUnexpired(tx, { model: 'AccessToken', idHash }, now);
  const connection = token && (await findWorkingConnection(tx, token.connectionId ?? '', now));
  if (!connection) throw createError('identity.token_not_found');
  const { id, userId, tool, toolGeneration, scopes } = connection;
  const granted = token.payload.scope?.split(' ') ?? [];
  return {
    id,
    userId,
    toolId: tool.id,
    toolGeneration,
    scopes: SCOPES.filter((scope) => scopes.includes(scope) && granted.includes(scope)),
    expiresAt: token.expiresAt.toISOString(),
    restriction: (await findDeletion(tx, userId)) === null ? null : 'deletion',
  };
};
