import type { Scope } from '@shortlist/contracts/api/api-keys';
import type { Connection, Tool } from '@shortlist/contracts/api/connections';
import type { Tx } from '@shortlist/kit/data/db';
import type { PruneRule } from '@shortlist/kit/messaging/pruning';
import { EntitySchema, type FindManyOptions, In, IsNull, MoreThan, MoreThanOrEqual } from 'typeorm';
import { scopeList, type ToolRow } from '../tools/queries.ts';

/** What a user has granted one installation of a tool: the grant of OAuth. It works until it ends or expires. */
export type ConnectionRow = {
  id: string;
  userId: string;
  tool: ToolRow;
  scopes: Scope[];
  device: string;
  browser: string;
  system: string;
  createdAt: Date;
  /** At first that of the code, then that of the newest refresh token. */
  expiresAt: Date;
  endedAt: Date | null;
  /** YYYY-MM-DD in UTC; null before the first use. */
  lastUsedDay: string | null;
  lastUsedNetwork: string;
};

export const connectionEntity = new EntitySchema<ConnectionRow>({
  name: 'connection',
  tableName: 'connections',
  columns: {
    id: { type: 'char', length: 36, primary: true },
    userId: { name: 'user_id', type: 'char', length: 36 },
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
  relations: {
    tool: { type: 'many-to-one', target: 'tool', eager: true, joinColumn: { name: 'tool_id' } },
  },
});

/** A connection outlives its end for the names in the history of credits. */
const DAYS_AFTER_END = 400;

export const ENDED_CONNECTIONS: readonly PruneRule[] = [
  { days: DAYS_AFTER_END, remove: 'DELETE FROM connections WHERE ended_at < ? ORDER BY ended_at LIMIT ?' },
  {
    days: DAYS_AFTER_END,
    remove: 'DELETE FROM connections WHERE expires_at < ? ORDER BY expires_at LIMIT ?',
  },
];

const working = (now: Date) => ({ endedAt: IsNull(), expiresAt: MoreThan(now) });

/** Locks rows of connections until the end of the transaction, and not those of their tools, which are everybody's. */
const lockRows = async (tx: Tx, options: FindManyOptions<ConnectionRow>): Promise<ConnectionRow[]> => {
  const table = tx.getRepository(connectionEntity);
  const order = { id: 'ASC' } as const;
  const lock = { mode: 'pessimistic_write' } as const;
  const locked = await table.find({ ...options, order, lock, loadEagerRelations: false });
  return locked.length === 0 ? [] : table.find({ where: { id: In(locked.map(({ id }) => id)) }, order });
};

/** The newest first, also those that have ended or expired. */
export const listConnections = (tx: Tx, userId: string): Promise<ConnectionRow[]> =>
  tx.getRepository(connectionEntity).find({ where: { userId }, order: { id: 'DESC' } });

export const countWorkingConnections = (tx: Tx, userId: string, now: Date): Promise<number> =>
  tx.getRepository(connectionEntity).countBy({ userId, ...working(now) });

export const findWorkingConnection = (tx: Tx, id: string, now: Date): Promise<ConnectionRow | null> =>
  tx.getRepository(connectionEntity).findOneBy({ id, ...working(now), tool: { disabledAt: IsNull() } });

export const insertConnection = async (tx: Tx, row: ConnectionRow): Promise<void> => {
  await tx.getRepository(connectionEntity).insert(row);
};

/** Locks a connection, whatever its state. */
export const lockConnection = async (
  tx: Tx,
  where: { id: string; userId?: string },
): Promise<ConnectionRow | null> => (await lockRows(tx, { where }))[0] ?? null;

/** Locks the connections of the user that have not ended and were made at `since` or later. */
export const lockConnectionsSince = (tx: Tx, userId: string, since: Date): Promise<ConnectionRow[]> =>
  lockRows(tx, { where: { userId, endedAt: IsNull(), createdAt: MoreThanOrEqual(since) } });

/** Locks some of the connections of a tool that have not ended. */
export const lockConnectionsOfTool = (tx: Tx, toolId: string, limit: number): Promise<ConnectionRow[]> =>
  lockRows(tx, { where: { tool: { id: toolId }, endedAt: IsNull() }, take: limit });

export const markEnded = async (tx: Tx, id: string, endedAt: Date): Promise<void> => {
  await tx.getRepository(connectionEntity).update({ id }, { endedAt });
};

export const extendConnection = async (tx: Tx, id: string, expiresAt: Date): Promise<void> => {
  await tx.getRepository(connectionEntity).update({ id }, { expiresAt });
};

type Use = { connectionId: string; day: string; network: string };

/** Stores the day and the network of a use, unless a later day is stored: uses are reported late and out of order. */
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

export const presentConnection = (row: ConnectionRow): Connection => {
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
    endedAt: row.endedAt?.toISOString() ?? null,
    lastUsed: day === null ? null : { day, network },
  };
};
