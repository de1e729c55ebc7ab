import { type Scope, SCOPES } from '@shortlist/contracts/api/connected-apps';
import type { Tx } from '@shortlist/kit/data/db';
import { selectRow, text } from '@shortlist/kit/data/sql';
import { EntitySchema, In, type ValueTransformer } from 'typeorm';

/** An app that many people install: an OAuth client without a secret. Its id is the `client_id`. */
export type ToolRow = {
  id: string;
  name: string;
  /** A `data:` URL, because pages load no pictures from foreign hosts. */
  logo: string | null;
  /** Compared exactly, except for the port of a loopback address. Empty for an app without a browser. */
  redirectUris: string[];
  /** The scopes that it may request. */
  scopes: Scope[];
  isVerified: boolean;
  createdAt: Date;
  disabledAt: Date | null;
  /** Grows whenever the app is disabled. */
  generation: number;
};

/** Separated by commas, in the order of SCOPES. A scope that this version does not know grants nothing. */
export const scopeList: ValueTransformer = {
  to: (scopes: unknown) => (Array.isArray(scopes) ? scopes.join(',') : scopes),
  from: (text: string): Scope[] => SCOPES.filter((scope) => text.split(',').includes(scope)),
};

const addressList: ValueTransformer = {
  to: (addresses: unknown) => JSON.stringify(addresses),
  from: (text: string) => JSON.parse(text) as string[],
};

const isTrue: ValueTransformer = { to: (value: unknown) => value, from: Boolean };

export const toolEntity = new EntitySchema<ToolRow>({
  name: 'tool',
  tableName: 'tools',
  columns: {
    id: { type: 'char', length: 36, primary: true },
    name: { type: 'varchar', length: 60 },
    logo: { type: 'text', nullable: true },
    redirectUris: { name: 'redirect_uris', type: 'text', transformer: addressList },
    scopes: { type: 'varchar', length: 200, transformer: scopeList },
    isVerified: { name: 'is_verified', type: 'boolean', transformer: isTrue },
    createdAt: { name: 'created_at', type: 'datetime', precision: 3 },
    disabledAt: { name: 'disabled_at', type: 'datetime', precision: 3, nullable: true },
    generation: { type: 'int', unsigned: true, default: 0 },
  },
});

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

export const insertTool = async (tx: Tx, tool: ToolRow): Promise<void> => {
  await tx.getRepository(toolEntity).insert(tool);
};

export const updateTool = async (
  tx: Tx,
  id: string,
  change: Pick<ToolRow, 'disabledAt' | 'generation'>,
): Promise<void> => {
  await tx.getRepository(toolEntity).update({ id }, change);
};
