import { SCOPES } from '@shortlist/contracts/api/connected-apps';
import * as column from '@shortlist/kit/data/columns';
import type { Tx } from '@shortlist/kit/data/db';
import { defineEntity, type RowOf } from '@shortlist/kit/data/entity';
import { insertRows } from '@shortlist/kit/data/insert';
import { selectRow, text } from '@shortlist/kit/data/sql';
import { In } from 'typeorm';

/** An app that many people install: an OAuth client without a secret. Its id is the `client_id`. */
export const toolEntity = defineEntity('tool', 'tools', {
  id: { ...column.uuid, primary: true },
  name: column.varchar(60),
  /** A `data:` URL, because pages load no pictures from foreign hosts. */
  logo: column.nullable(column.text),
  /** Compared exactly, except for the port of a loopback address. Empty for an app without a browser. */
  redirectUris: column.json<string[]>(),
  /** The scopes that it may request. */
  scopes: column.listOf(SCOPES, 200),
  isVerified: column.boolean,
  createdAt: column.dateTime,
  disabledAt: column.nullable(column.dateTime),
  /** Grows whenever the app is disabled. */
  generation: { ...column.unsigned, default: 0 },
});
export type ToolRow = RowOf<typeof toolEntity>;

export const findTool = (tx: Tx, id: string): Promise<ToolRow | null> =>
  tx.getRepository(toolEntity).findOneBy({ id });

/** Locks an app until the end of the transaction. */
export const lockTool = (tx: Tx, id: string): Promise<ToolRow | null> =>
  tx.getRepository(toolEntity).findOne({ where: { id }, lock: { mode: 'pessimistic_write' } });

/**
 * An app, locked for sharing: other users may connect it concurrently, but disabling it waits, so that a connection begins before that or not
 * at all.
 */
export const shareTool = async (tx: Tx, id: string): Promise<ToolRow | null> => {
  // MariaDB does not know TypeORM's clause.
  await selectRow(
    tx,
    { id: text },
    { sql: 'SELECT id FROM tools WHERE id = ? LOCK IN SHARE MODE', values: [id] },
  );
  return findTool(tx, id);
};

/** By their ids. */
export const findTools = async (tx: Tx, ids: Set<string>): Promise<Map<string, ToolRow>> => {
  if (ids.size === 0) return new Map();
  const tools = await tx.getRepository(toolEntity).findBy({ id: In([...ids]) });
  return new Map(tools.map((tool) => [tool.id, tool]));
};

export const listTools = (tx: Tx): Promise<ToolRow[]> =>
  tx.getRepository(toolEntity).find({ order: { id: 'ASC' } });

export const insertTool = (tx: Tx, tool: ToolRow): Promise<void> => insertRows(tx, toolEntity, tool);

export const updateTool = async (
  tx: Tx,
  id: string,
  change: Pick<ToolRow, 'disabledAt' | 'generation'>,
): Promise<void> => {
  await tx.getRepository(toolEntity).update({ id }, change);
};
