import { type Connection, SCOPES, type Tool } from '@shortlist/contracts/api/connected-apps';
import * as column from '@shortlist/kit/data/columns';
import type { Tx } from '@shortlist/kit/data/db';
import { defineEntity, type RowOf } from '@shortlist/kit/data/entity';
import { insertRows } from '@shortlist/kit/data/insert';
import { integer, selectRows, text } from '@shortlist/kit/data/sql';
import type { PruneRule } from '@shortlist/kit/messaging/pruning';
import { type FindOptionsWhere, IsNull, LessThan, MoreThan } from 'typeorm';
import { findTools, type ToolRow } from './queries.ts';

/** A user's grant to one installation of an app (an OAuth grant). It works until it ends or expires. */
export const connectionEntity = defineEntity('connection', 'connections', {
  id: { ...column.uuid, primary: true },
  userId: column.uuid,
  toolId: column.uuid,
  /** The app's generation when the connection began. */
  toolGeneration: { ...column.unsigned, default: 0 },
  scopes: column.listOf(SCOPES, 200),
  device: column.varchar(60),
  browser: column.varchar(40),
  system: { ...column.varchar(40), name: 'operating_system' },
  createdAt: column.dateTime,
  /** The expiry of the code at first, then of the newest refresh token. */
  expiresAt: column.dateTime,
  endedAt: column.nullable(column.dateTime),
  /** YYYY-MM-DD in UTC; null before the first use. */
  lastUsedDay: column.nullable(column.char(10)),
  lastUsedNetwork: { ...column.varchar(50), default: '' },
});
type StoredConnection = RowOf<typeof connectionEntity>;
export type ConnectionRow = Omit<StoredConnection, 'toolId'> & { tool: ToolRow };

/** An ended connection is kept for its name in the credit history. */
const DAYS_AFTER_END = 400;

export const ENDED_CONNECTIONS: readonly PruneRule[] = [
  { days: DAYS_AFTER_END, remove: 'DELETE FROM connections WHERE ended_at < ? ORDER BY ended_at LIMIT ?' },
  {
    days: DAYS_AFTER_END,
    remove: 'DELETE FROM connections WHERE expires_at < ? ORDER BY expires_at LIMIT ?',
  },
];

const working = (now: Date) => ({ endedAt: IsNull(), expiresAt: MoreThan(now) });

/** The rows with their apps, which are never deleted. */
const withTools = async (tx: Tx, rows: StoredConnection[]): Promise<ConnectionRow[]> => {
  const tools = await findTools(tx, new Set(rows.map(({ toolId }) => toolId)));
  return rows.map(({ toolId, ...row }) => {
    const tool = tools.get(toolId);
    if (tool === undefined) throw new Error(`the connection ${row.id} has no tool`);
    return { ...row, tool };
  });
};

type Where = FindOptionsWhere<StoredConnection>;

/** Locks rows of connections until the end of the transaction, but not those of their apps, which all users share. */
const lockRows = async (tx: Tx, where: Where, take?: number): Promise<ConnectionRow[]> => {
  const lock = { mode: 'pessimistic_write' } as const;
  const limit = take === undefined ? {} : { take };
  const rows = await tx.getRepository(connectionEntity).find({ where, order: { id: 'ASC' }, lock, ...limit });
  return withTools(tx, rows);
};

/** Newest first, including ended and expired ones. */
export const listConnections = async (tx: Tx, userId: string): Promise<ConnectionRow[]> => {
  const rows = await tx.getRepository(connectionEntity).find({ where: { userId }, order: { id: 'DESC' } });
  return withTools(tx, rows);
};

/** Whether the app was disabled since the connection began. The connection's row is ended a little later. */
const isOverruled = ({ tool, toolGeneration }: ConnectionRow): boolean =>
  tool.disabledAt !== null || toolGeneration < tool.generation;

const listWorking = async (
  tx: Tx,
  where: { id: string } | { userId: string },
  now: Date,
): Promise<ConnectionRow[]> => {
  const rows = await tx
    .getRepository(connectionEntity)
    .find({ where: { ...where, ...working(now) }, order: { id: 'DESC' } });
  return (await withTools(tx, rows)).filter((row) => !isOverruled(row));
};

/** The newest first. */
export const listWorkingConnections = (tx: Tx, userId: string, now: Date): Promise<ConnectionRow[]> =>
  listWorking(tx, { userId }, now);

export const findWorkingConnection = async (tx: Tx, id: string, now: Date): Promise<ConnectionRow | null> =>
  (await listWorking(tx, { id }, now))[0] ?? null;

const USERS_OF_TOOL = { toolId: text, users: integer };

/** The number of users who have connected each app, or this one; apps without users are left out. */
export const countUsersOfTools = async (
  tx: Tx,
  now: Date,
  toolId: string | null = null,
): Promise<Map<string, number>> => {
  const rows = await selectRows(tx, USERS_OF_TOOL, {
    sql: `SELECT c.tool_id AS toolId, COUNT(DISTINCT c.user_id) AS users
      FROM tools t JOIN connections c ON c.tool_id = t.id AND c.tool_generation = t.generation
      WHERE t.disabled_at IS NULL AND c.ended_at IS NULL AND c.expires_at > ?
      ${toolId === null ? '' : 'AND t.id = ?'} GROUP BY c.tool_id`,
    values: [now, ...(toolId === null ? [] : [toolId])],
  });
  return new Map(rows.map((row) => [row.toolId, row.users]));
};

export const insertConnection = (tx: Tx, { tool, ...row }: ConnectionRow): Promise<void> =>
  insertRows(tx, connectionEntity, { ...row, toolId: tool.id });

/** Locks a connection, whatever its state. */
export const lockConnection = async (
  tx: Tx,
  where: { id: string; userId?: string },
): Promise<ConnectionRow | null> => (await lockRows(tx, where))[0] ?? null;

/** Locks the connections of the user that have not ended. */
export const lockOpenConnections = (tx: Tx, userId: string): Promise<ConnectionRow[]> =>
  lockRows(tx, { userId, endedAt: IsNull() });

/** Locks some of the connections of an app that were not ended when it was disabled. */
export const lockOverruledConnections = (
  tx: Tx,
  { id: toolId, generation }: ToolRow,
  limit: number,
): Promise<ConnectionRow[]> =>
  lockRows(tx, { toolId, endedAt: IsNull(), toolGeneration: LessThan(generation) }, limit);

export const markEnded = async (tx: Tx, id: string, endedAt: Date): Promise<void> => {
  await tx.getRepository(connectionEntity).update({ id }, { endedAt });
};

export const extendConnection = async (tx: Tx, id: string, expiresAt: Date): Promise<void> => {
  await tx.getRepository(connectionEntity).update({ id }, { expiresAt });
};

type Use = { connectionId: string; day: string; network: string };

/** Stores the day and the network of a use, unless a later day is stored, because uses are reported late and out of order. */
export const recordUse = async (tx: Tx, { connectionId: id, day, network }: Use): Promise<void> => {
  await tx
    .getRepository(connectionEntity)
    .createQueryBuilder()
    .update()
    .set({ lastUsedDay: day, lastUsedNetwork: network })
    .where({ id, endedAt: IsNull() })
    .andWhere('(last_used_day IS NULL OR last_used_day <= :day)', { day })
    .execute();
};

export const presentTool = ({ name, logo, isVerified }: ToolRow): Tool => ({ name, logo, isVerified });

export const presentConnection = (row: ConnectionRow, now: Date): Connection => {
  const { id, scopes, device, browser, system, tool, lastUsedDay: day, lastUsedNetwork: network } = row;
  return {
    ...presentTool(tool),
    id,
    scopes,
    device,
    browser,
    system,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    endedAt: (row.endedAt ?? (isOverruled(row) ? now : null))?.toISOString() ?? null,
    lastUsed: day === null ? null : { day, network },
  };
};
