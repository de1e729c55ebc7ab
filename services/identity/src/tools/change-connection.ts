import { actorOf, recordAction } from '@shortlist/audit/audit-log';
import { type Scope, SCOPES, type ToolDevice } from '@shortlist/contracts/api/connected-apps';
import { SYSTEM_ACTOR_ID } from '@shortlist/contracts/api/audit';
import { minutes } from '@shortlist/contracts/durations';
import { connectionCreated, type ConnectionEnd, connectionEnded } from '@shortlist/contracts/events/identity';
import { CONNECTION_REQUEST_MINUTES, CONNECTIONS_MAX } from '@shortlist/contracts/limits';
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
  type ConnectionRow,
  insertConnection,
  listWorkingConnections,
  lockConnection,
  lockOpenConnections,
  lockOverruledConnections,
  markEnded,
} from './connection-queries.ts';
import type { ToolRow } from './queries.ts';

type NewConnection = ToolDevice & {
  userId: string;
  tool: ToolRow;
  scopes: readonly Scope[];
  caller: Caller;
  clock: Clock;
  sharedClock: SharedClock;
};

/** The scopes as text, which the panel can show like any other value. */
const stateOf = ({ tool, scopes, device }: ConnectionRow) => ({
  tool: tool.name,
  scopes: scopes.join(', '),
  device,
});

/** Throws unless the account may connect another app. The lock makes concurrent approvals count each other. */
const assertAllowed = async (tx: Tx, userId: string, now: Date): Promise<void> => {
  const account = await lockAccount(tx, userId);
  if (account?.role !== 'user') throw createError('identity.user_not_found');
  if ((await findDeletion(tx, userId)) !== null) throw createError('identity.deletion_pending');
  if ((await listWorkingConnections(tx, userId, now)).length >= CONNECTIONS_MAX)
    throw createError('identity.connections_full');
};

/** Stores a user's grant. Until the app collects its first tokens, the connection expires with the request. */
export const createConnection = async (tx: Tx, order: NewConnection): Promise<ConnectionRow> => {
  const { userId, tool, device, browser, system, caller, clock, sharedClock } = order;
  const now = await sharedClock(tx);
  await assertAllowed(tx, userId, now);
  const row: ConnectionRow = {
    id: uuidv7(),
    userId,
    tool,
    toolGeneration: tool.generation,
    scopes: SCOPES.filter((scope) => order.scopes.includes(scope)),
    device,
    browser,
    system,
    createdAt: now,
    expiresAt: new Date(now.getTime() + minutes(CONNECTION_REQUEST_MINUTES)),
    endedAt: null,
    lastUsedDay: null,
    lastUsedNetwork: '',
  };
  await insertConnection(tx, row);
  const data = { connectionId: row.id, name: tool.name, scopes: row.scopes, device };
  await emit(tx, connectionCreated, { subject: userId, data, clock });
  const entry = { action: 'connection.create', targetId: userId, after: stateOf(row) } as const;
  await recordAction(tx, { ...entry, ...actorOf(caller, userId), clock });
  return row;
};

type By = { caller: Caller; clock: Clock };
/** `why`: the reason that an admin gives. */
type Ending = By & { reason: ConnectionEnd; why?: string };

/**
 * Ends a connection whose row is locked. Its tokens stop working, because each is checked against its connection; they are removed when they
 * expire.
 */
const end = async (tx: Tx, row: ConnectionRow, { reason, why, caller, clock }: Ending): Promise<void> => {
  const { id: connectionId, userId, tool, device, browser, system } = row;
  await markEnded(tx, connectionId, clock());
  // The connections of a disabled app, perhaps thousands, end with the app's right.
  if (reason !== 'disabled')
    await endRight(tx, endOf('connection', connectionId), { subject: userId, clock });
  const data = { connectionId, reason, name: tool.name, device, browser, system };
  await emit(tx, connectionEnded, { subject: userId, data, clock });
  const states = { before: { ...stateOf(row), reason }, after: why === undefined ? null : { reason: why } };
  const entry = { action: 'connection.end', targetId: userId, ...states } as const;
  await recordAction(tx, { ...entry, ...actorOf(caller, SYSTEM_ACTOR_ID), clock });
};

/** Ends a connection. Throws `identity.connection_not_found`. Repeating it changes nothing. */
export const endConnection = async (
  tx: Tx,
  { connectionId: id, userId, ...ending }: Ending & { connectionId: string; userId?: string },
): Promise<void> => {
  // The lock lets only one of concurrent ends take effect, and serializes it with issuing a token.
  const row = await lockConnection(tx, userId === undefined ? { id } : { id, userId });
  if (row === null) throw createError('identity.connection_not_found');
  if (row.endedAt === null) await end(tx, row, ending);
};

/** Ends every connection of an account. Returns how many there were. */
export const endConnections = async (
  tx: Tx,
  { accountId, ...ending }: Ending & { accountId: string },
): Promise<number> => {
  const rows = await lockOpenConnections(tx, accountId);
  for (const row of rows) await end(tx, row, ending);
  return rows.length;
};

/** Ends some of the connections of an app that was disabled. Returns how many there were. */
export const endOverruledConnections = async (
  tx: Tx,
  { tool, limit, ...by }: By & { tool: ToolRow; limit: number },
): Promise<number> => {
  const rows = await lockOverruledConnections(tx, tool, limit);
  for (const row of rows) await end(tx, row, { ...by, reason: 'disabled' });
  return rows.length;
};
