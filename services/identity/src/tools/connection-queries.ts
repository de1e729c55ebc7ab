import type { Connection, Scope, Tool } from '@shortlist/contracts/api/connected-apps';
import type { Tx } from '@shortlist/kit/data/db';
import { integer, selectRows, text } from '@shortlist/kit/data/sql';
import type { PruneRule } from '@shortlist/kit/messaging/pruning';
import { EntitySchema, type FindOptionsWhere, IsNull, LessThan, MoreThan } from 'typeorm';
import { findTools, scopeList, type ToolRow } from './queries.ts';

/** A user's grant to one installation of an app (an OAuth grant). It works until it ends or expires. */
export type ConnectionRow = {
  id: string;
  userId: string;
  tool: ToolRow;
  /** The app's generation when the connection began. */
  toolGeneration: number;
  scopes: Scope[];
  device: string;
  browser: string;
  system: string;
  createdAt: Date;
  /** The expiry of the code at first, then of the newest refresh token. */
  expiresAt: Date;
  endedAt: Date | null;
  /** YYYY-MM-DD in UTC; null before the first use. */
  lastUsedDay: string | null;
  lastUsedNetwork: string;
};

type StoredConnection = Omit<ConnectionRow, 'tool'> & { toolId: string };

export const connectionEntity = new EntitySchema<StoredConnection>({
  name: 'connection',
  tableName: 'connections',
  columns: {
    id: { type: 'char', length: 36, primary: true },
    userId: { name: 'user_id', type: 'char', length: 36 },
    toolId: { name: 'tool_id', type: 'char', length: 36 },
    toolGeneration: { name: 'tool_generation', type: 'int', unsigned: true, default: 0 },
    scopes: { type: 'varchar', length: 200, transformer: scopeList },
    device: { type: 'varchar', length: 60 },
    browser: { type: 'varchar', length: 40 },
    system: { name: 'operating_system', type: 'varchar', length: 40 },
    createdAt: { name: 'created_at', type: 'datetime', precision: 3 },
    expiresAt: { name: 'expires_at', type: 'datetime', precision: 3 },
    endedAt: { name: 'ended_at', type: 'datetime', precision: 3, nullable: true },
    lastUsedDay: { name: 'last_used_day', type: 'char', length: 10, nullable: true },
    lastUsedNetwork: { name: 'last_used_network', type: 'varchar', length: 50, default: '' },
  },
});

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

export const insertConnection = async (tx: Tx, { tool, ...row }: ConnectionRow): Promise<void> => {
  await tx.getRepository(connectionEntity).insert({ ...row, toolId: tool.id });
};

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
