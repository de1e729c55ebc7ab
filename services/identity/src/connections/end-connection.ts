import { actorOf, recordAction } from '@shortlist/audit/audit-log';
import { SYSTEM_ACTOR_ID } from '@shortlist/contracts/api/audit';
import { type ConnectionEnd, connectionEnded } from '@shortlist/contracts/events/identity';
import type { Tx } from '@shortlist/kit/data/db';
import type { Caller } from '@shortlist/kit/http/service-token';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import type { ToolRow } from '../tools/queries.ts';
import { stateOf } from './create-connection.ts';
import {
  type ConnectionRow,
  lockConnection,
  lockConnectionsSince,
  lockOverruledConnections,
  markEnded,
} from './queries.ts';

type By = { caller: Caller; clock: Clock };
type Ending = By & { reason: ConnectionEnd };

/**
 * Ends a connection whose row is locked. Its tokens work no more, since each is compared with its connection; expiry removes them.
 */
const end = async (tx: Tx, row: ConnectionRow, { reason, caller, clock }: Ending): Promise<void> => {
  const { id: connectionId, userId, tool, device, browser, system } = row;
  await markEnded(tx, connectionId, clock());
  const data = { connectionId, reason, name: tool.name, device, browser, system };
  await emit(tx, connectionEnded, { subject: userId, data, clock });
  const entry = { action: 'connection.end', targetId: userId, before: { ...stateOf(row), reason } } as const;
  await recordAction(tx, { ...entry, ...actorOf(caller, SYSTEM_ACTOR_ID), clock });
};

/** Ends a connection. Throws `identity.connection_not_found`. Repeated, it changes nothing. */
export const endConnection = async (
  tx: Tx,
  { connectionId: id, userId, ...ending }: Ending & { connectionId: string; userId?: string },
): Promise<void> => {
  // The lock makes concurrent ends one, and a token that is issued at the same time comes before or not at all.
  const row = await lockConnection(tx, userId === undefined ? { id } : { id, userId });
  if (row === null) throw createError('identity.connection_not_found');
  if (row.endedAt === null) await end(tx, row, ending);
};

const ALWAYS = new Date(0);

/** Ends the connections of an account that is taken back, made at `since` or later. Returns how many there were. */
export const endConnectionsSince = async (
  tx: Tx,
  { accountId, since = ALWAYS, ...by }: By & { accountId: string; since?: Date },
): Promise<number> => {
  const rows = await lockConnectionsSince(tx, accountId, since);
  for (const row of rows) await end(tx, row, { ...by, reason: 'takeover' });
  return rows.length;
};

/** Ends some of the connections of a tool that was disabled. Returns how many there were. */
export const endOverruledConnections = async (
  tx: Tx,
  { tool, limit, ...by }: By & { tool: ToolRow; limit: number },
): Promise<number> => {
  const rows = await lockOverruledConnections(tx, tool, limit);
  for (const row of rows) await end(tx, row, { ...by, reason: 'disabled' });
  return rows.length;
};
