import { actorOf, recordAction } from '@shortlist/audit/audit-log';
import { type Scope, SCOPES } from '@shortlist/contracts/api/api-keys';
import type { ToolDevice } from '@shortlist/contracts/api/connections';
import { minutes } from '@shortlist/contracts/durations';
import { connectionCreated } from '@shortlist/contracts/events/identity';
import { CONNECTION_REQUEST_MINUTES, CONNECTIONS_MAX } from '@shortlist/contracts/limits';
import type { SharedClock, Tx } from '@shortlist/kit/data/db';
import type { Caller } from '@shortlist/kit/http/service-token';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import { uuidv7 } from 'uuidv7';
import { lockAccount } from '../accounts/queries.ts';
import { findDeletion } from '../deletion/queries.ts';
import type { ToolRow } from '../tools/queries.ts';
import { type ConnectionRow, countWorkingConnections, insertConnection } from './queries.ts';

type NewConnection = ToolDevice & {
  userId: string;
  tool: ToolRow;
  scopes: readonly Scope[];
  caller: Caller;
  clock: Clock;
  sharedClock: SharedClock;
};

/** Scopes as a text, which the panel shows like any other value. */
export const stateOf = ({ tool, scopes, device }: ConnectionRow) => ({
  tool: tool.name,
  scopes: scopes.join(', '),
  device,
});

/** Throws unless the account may connect another tool. The lock makes concurrent approvals count each other. */
const assertAllowed = async (tx: Tx, userId: string, now: Date): Promise<void> => {
  const account = await lockAccount(tx, userId);
  if (account?.role !== 'user') throw createError('identity.user_not_found');
  if ((await findDeletion(tx, userId)) !== null) throw createError('identity.deletion_pending');
  if ((await countWorkingConnections(tx, userId, now)) >= CONNECTIONS_MAX)
    throw createError('identity.connections_full');
};

/** Stores what the user has granted. Until its first tokens it lasts as long as the request: a tool that never collects them is gone. */
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
