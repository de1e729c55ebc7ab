import type { Db } from '../data/db.ts';

type Query = (...args: unknown[]) => unknown;
type Connection = { query: Query };
type Give = (error: Error | null, connection?: Connection) => void;
type Pool = { getConnection: (give: Give) => void };

/** The relay, the consumers and the pruning of an open service use the same pool. */
const IS_BACKGROUND =
  /\b(outbox|inbox|GET_LOCK|RELEASE_LOCK|IS_USED_LOCK)\b|^DELETE FROM \w+ WHERE \w+ < \S+ ORDER BY /;

const textOf = (statement: unknown): string =>
  typeof statement === 'string' ? statement : ((statement as { sql?: string }).sql ?? '');

/** Counts the statements that the pool's connections send while `work` runs, except those of relay, consumers and pruning. */
export const countStatements = async (db: Db, work: () => Promise<unknown>): Promise<number> => {
  const pool = (db.driver as unknown as { pool: Pool }).pool; // TypeORM does not expose the pool
  const acquire = pool.getConnection;
  const watched = new Map<Connection, Query>();
  let sent = 0;
  const watch = (connection: Connection): void => {
    if (watched.has(connection)) return;
    const query = connection.query;
    watched.set(connection, query);
    connection.query = (...args) => {
      if (!IS_BACKGROUND.test(textOf(args[0]))) sent += 1;
      return query.apply(connection, args);
    };
  };
  pool.getConnection = (give) =>
    acquire.call(pool, (error, connection) => {
      if (connection) watch(connection);
      give(error, connection);
    });
  try {
    await work();
  } finally {
    pool.getConnection = acquire;
    for (const [connection, query] of watched) connection.query = query;
  }
  return sent;
};
