import { SCOPES } from '@shortlist/contracts/api/api-keys';
import type { TokenOwner } from '@shortlist/contracts/api/connections';
import type { SharedClock, Tx } from '@shortlist/kit/data/db';
import { createError } from '@shortlist/kit/process/errors';
import { findWorkingConnection } from '../connections/queries.ts';
import { findDeletion } from '../deletion/queries.ts';
import { findUnexpired } from './queries.ts';

/** What the bearer of the access token with this hash may do now. Throws `identity.token_not_found`. */
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
