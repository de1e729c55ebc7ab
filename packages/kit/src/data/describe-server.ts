// What the System screen says of a server besides whether it responds.
import type { ServerDetails } from '@shortlist/contracts/api/status';
import type { Db } from './db.ts';
import type { Redis } from './redis.ts';
import { integer, selectRow, sql, text } from './sql.ts';

/** The server's version and its connections. */
export const describeDatabase = async (db: Db): Promise<ServerDetails> => {
  const server = await selectRow(
    db,
    { version: text, limit: integer },
    sql`SELECT VERSION() AS version, @@GLOBAL.max_connections AS \`limit\``,
  );
  const connections = await selectRow(
    db,
    { Variable_name: text, Value: text },
    sql`SHOW GLOBAL STATUS LIKE 'Threads_connected'`,
  );
  const { version = '', limit = null } = server ?? {};
  const name = version.includes('MariaDB') ? 'MariaDB' : 'MySQL';
  return {
    server: `${name} ${/^[\d.]*/.exec(version)?.[0]}`,
    used: connections === null ? null : Number(connections.Value),
    limit,
  };
};

/** The version of a Redis server and the bytes that it uses; of a cluster, those of one of its nodes. */
export const describeRedis = async (redis: Pick<Redis, 'info'>): Promise<ServerDetails> => {
  const lines = (await redis.info()).split(/\r?\n/).map((line) => line.split(':'));
  const values = new Map(lines.map(([name = '', value]) => [name, value]));
  const numberOf = (name: string): number | null => Number(values.get(name) ?? 0) || null;
  const valkey = values.get('valkey_version');
  return {
    server: valkey === undefined ? `Redis ${values.get('redis_version')}` : `Valkey ${valkey}`,
    used: numberOf('used_memory'),
    limit: numberOf('maxmemory'), // 0 without a limit
  };
};
