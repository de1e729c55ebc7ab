import { actorOf, recordAction } from '@shortlist/audit/audit-log';
import { apiKeyCreated, apiKeyRevoked } from '@shortlist/contracts/events/identity';
import type { Tx } from '@shortlist/kit/data/db';
import type { Caller } from '@shortlist/kit/http/service-token';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Clock } from '@shortlist/kit/process/clock';
import type { ApiKeyRow } from './queries.ts';

type By = { caller: Caller; clock: Clock };

/** Scopes as a text, which the panel shows like any other value. */
const stateOf = ({ name, scopes, expiresAt }: ApiKeyRow) => ({
  name,
  scopes: scopes.join(', '),
  expiresAt: expiresAt?.toISOString() ?? null,
});

/** Emits and records a new key. Support has to explain keys, like second factors. */
export const recordCreatedKey = async (tx: Tx, key: ApiKeyRow, { caller, clock }: By): Promise<void> => {
  const { id: keyId, userId, name, scopes, hint } = key;
  await emit(tx, apiKeyCreated, { subject: userId, data: { keyId, name, scopes, hint }, clock });
  const entry = { action: 'key.create', targetId: userId, after: stateOf(key) } as const;
  await recordAction(tx, { ...entry, ...actorOf(caller, userId), clock });
};

export const recordRevokedKey = async (tx: Tx, key: ApiKeyRow, { caller, clock }: By): Promise<void> => {
  const { id: keyId, userId } = key;
  await emit(tx, apiKeyRevoked, { subject: userId, data: { keyId }, clock });
  const entry = { action: 'key.revoke', targetId: userId, before: stateOf(key) } as const;
  await recordAction(tx, { ...entry, ...actorOf(caller, userId), clock });
};
