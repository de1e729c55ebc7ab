import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import type { EntitySchema } from 'typeorm';
import { connect, createDb, type Db, inTransaction, type Tx } from '../data/db.ts';
import { checkRowShapes } from '../data/sql.ts';
import { createLog } from '../process/log.ts';
import { currentTrace, inTrace, newTrace } from '../process/trace.ts';
import { migration } from '../data/migration.ts';
import { OUTBOX_AND_INBOX } from '../messaging/outbox.ts';
import { createRedis, type Redis } from '../data/redis.ts';
import { until } from './until.ts';

declare module 'vitest' {
  /** Addresses of the servers that are started once for a test run. */
  interface ProvidedContext {
    databaseAdminUrl: string;
    sessionsRedisUrl: string;
    queueRedisUrl: string;
  }
}

type Schema = Pick<Parameters<typeof createDb>[0], 'entities' | 'migrations' | 'poolSize'>;
export type TestDb = { db: Db; url: string; drop: () => Promise<void> };

const asAdmin = async (statement: string): Promise<void> => {
  const admin = createDb({ url: inject('databaseAdminUrl'), entities: [], migrations: [], poolSize: 1 });
  await admin.initialize();
  await admin.query(statement);
  await admin.destroy();
};

/** Creates an empty database with a random name. */
export const createEmptyDatabase = async (): Promise<Omit<TestDb, 'db'>> => {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asAdmin(`CREATE DATABASE ${name} CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci`);
  const url = new URL(inject('databaseAdminUrl'));
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => asAdmin(`DROP DATABASE ${name}`) };
};

/** Creates a migrated database for one test file; `drop` it afterwards. */
export const createTestDb = async (schema: Schema): Promise<TestDb> => {
  checkRowShapes();
  const { url, drop } = await createEmptyDatabase();
  const db = createDb({ url, ...schema });
  await connect(db, createLog('test', 'silent'));
  return {
    db,
    url,
    drop: async () => {
      if (db.isInitialized) await db.destroy();
      await drop();
    },
  };
};

/**
 * The statements that wait for a row lock in the test's database. The tables of `information_schema` do not serve: `innodb_trx` is read again
 * only 100 ms after the last reader, and MySQL's `processlist` fails as a whole while any statement of the server has a character beyond utf8mb3.
 */
export const listLockWaits = async (db: Db): Promise<string[]> => {
  const [status] = await db.query<{ Status: string }[]>('SHOW ENGINE INNODB STATUS');
  // The last deadlock comes first, with transactions that waited when it was found.
  const [, ...present] = (status?.Status ?? '').split('---TRANSACTION');
  const transactions = present.filter((text) => text.includes('LOCK WAIT'));
  const ids = new Set(transactions.map((text) => Number(/thread id (\d+)/.exec(text)?.[1])));
  type Row = { Id: string; db: string | null; Info: string | null };
  const rows = await db.query<Row[]>('SHOW FULL PROCESSLIST');
  return rows.flatMap(({ Id, db: name, Info }) =>
    ids.has(Number(Id)) && name === db.options.database && Info !== null ? [Info] : [],
  );
};

/**
 * Waits until `count` statements that match `pattern` wait for a row lock. One that only runs has not joined the queue of the lock yet, and
 * another can overtake it.
 */
export const untilLockWait = (db: Db, pattern: RegExp, count = 1): Promise<void> =>
  until(`${count} waiting statements like ${String(pattern)}`, async () => {
    const waiting = await listLockWaits(db);
    return waiting.filter((statement) => pattern.test(statement)).length >= count;
  });

/** How many rows the server reads while the work uses this one connection, with the result of the work. */
export const countRowsRead = async <T>(
  db: Db,
  work: (tx: Tx) => Promise<T>,
): Promise<{ result: T; rowsRead: number }> => {
  const runner = db.createQueryRunner();
  const count = async (): Promise<number> => {
    const rows = (await runner.query("SHOW SESSION STATUS LIKE 'Handler_read%'")) as { Value: string }[];
    return rows.reduce((sum, { Value }) => sum + Number(Value), 0);
  };
  try {
    const before = await count();
    const result = await work(runner.manager);
    return { result, rowsRead: (await count()) - before };
  } finally {
    await runner.release();
  }
};

/** Keeps the rows of these tables, and returns what sets them back, once. Rows of other tables stay, as in a copy that was made in between. */
export const keepRows = async (db: Db, tables: readonly string[]): Promise<() => Promise<void>> => {
  for (const table of tables) await db.query(`CREATE TABLE kept_${table} AS SELECT * FROM ${table}`);
  return () =>
    inTransaction(db, async (tx) => {
      await tx.query('SET SESSION foreign_key_checks = 0');
      for (const table of tables) {
        await tx.query(`DELETE FROM ${table}`);
        await tx.query(`INSERT INTO ${table} SELECT * FROM kept_${table}`);
        await tx.query(`DROP TABLE kept_${table}`);
      }
      await tx.query('SET SESSION foreign_key_checks = 1');
    });
};

/** A migration with the outbox and the inbox alone, for tests of the messaging code. */
export const createOutboxAndInbox = migration('CreateOutboxAndInbox1763600000000', OUTBOX_AND_INBOX);

type Tables = Record<string, string>;

const tablesOf = async (db: Db): Promise<Tables> => {
  const names: Record<string, string>[] = await db.query('SHOW TABLES');
  const tables: Tables = {};
  for (const name of names.flatMap((row) => Object.values(row))) {
    const [row]: Record<string, string>[] = await db.query(`SHOW CREATE TABLE ${name}`);
    tables[name] = (row?.['Create Table'] ?? '').replace(/ AUTO_INCREMENT=\d+/, '');
  }
  return tables;
};

/** The tables of a database after its migrations ran once, and after each ran again. */
export const migrateAgain = async (
  schema: Parameters<typeof createTestDb>[0],
): Promise<{ once: Tables; again: Tables; ran: number }> => {
  const { db, drop } = await createTestDb(schema);
  const once = await tablesOf(db);
  await db.query('DELETE FROM migrations');
  await connect(db, createLog('test', 'silent'), AbortSignal.timeout(20_000));
  const ran: unknown[] = await db.query('SELECT id FROM migrations');
  const again = await tablesOf(db);
  await drop();
  return { once, again, ran: ran.length };
};

type Columns = Record<string, string[]>;

/** Tables of kit and TypeORM, which have no entity. */
const INTERNAL = [
  'deletions_to_repeat',
  'ended_rights',
  'inbox',
  'migration_steps',
  'migrations',
  'outbox',
  'request_counts',
];

/** A column, with its values if they are enumerated. */
const describeColumn = (name: string, values: readonly unknown[] = []): string =>
  [name, ...values.map(String).toSorted()].join(' ');

const columnsOfEntities = (entities: readonly EntitySchema[]): Columns =>
  Object.fromEntries(
    entities.map(({ options: { tableName = '', columns } }) => [
      tableName,
      Object.entries(columns)
        .map(([property, column]) =>
          describeColumn(column?.name ?? property, column?.enum as readonly unknown[] | undefined),
        )
        .toSorted(),
    ]),
  );

/** The columns of each table as created by the migrations, and as declared by the service's entities. */
export const compareEntities = async (
  schema: Parameters<typeof createTestDb>[0],
): Promise<{ tables: Columns; entities: Columns }> => {
  const { db, drop } = await createTestDb(schema);
  const rows = await db.query<{ tableName: string; columnName: string; type: string }[]>(
    `SELECT table_name AS tableName, column_name AS columnName, column_type AS type
     FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
     WHERE table_schema = DATABASE() AND table_type = 'BASE TABLE' AND table_name NOT IN (?)`,
    [INTERNAL],
  );
  await drop();
  const tables: Columns = {};
  for (const { tableName, columnName, type } of rows) {
    const values = type.startsWith('enum(') ? type.slice(6, -2).split("','") : [];
    tables[tableName] = [...(tables[tableName] ?? []), describeColumn(columnName, values)].toSorted();
  }
  return { tables, entities: columnsOfEntities(schema.entities) };
};

/** Longer than in production, because a busy test machine is not an outage. */
const COMMAND_TIMEOUT_MS = 60_000;

/** Connects to the Redis server of a test, and resolves when commands can be sent. */
export const openTestRedis = async (url: string): Promise<Redis> => {
  const redis = createRedis(url, createLog('test', 'silent'), { commandTimeoutMs: COMMAND_TIMEOUT_MS });
  if (redis.status !== 'ready') await new Promise((resolve) => redis.once('ready', resolve));
  return redis;
};

type Query = (...args: unknown[]) => unknown;
type Connection = { query: Query };
type Give = (error: Error | null, connection?: Connection) => void;
type Pool = { getConnection: (give: Give) => void };

/**
 * Counts the statements that `work` causes, on the pool's connections and in a service that it calls over HTTP. Both belong to one trace, which
 * leaves out the relay, the consumers, the pruning and whatever else an open service does meanwhile.
 */
export const countStatements = async (db: Db, work: () => Promise<unknown>): Promise<number> => {
  const pool = (db.driver as unknown as { pool: Pool }).pool; // TypeORM does not expose the pool
  const acquire = pool.getConnection;
  const watched = new Map<Connection, Query>();
  const trace = newTrace();
  let sent = 0;
  const watch = (connection: Connection): void => {
    if (watched.has(connection)) return;
    const query = connection.query;
    watched.set(connection, query);
    connection.query = (...args) => {
      if (currentTrace()?.traceId === trace.traceId) sent += 1;
      return query.apply(connection, args);
    };
  };
  pool.getConnection = (give) =>
    acquire.call(pool, (error, connection) => {
      if (connection) watch(connection);
      give(error, connection);
    });
  try {
    await inTrace(trace, work);
  } finally {
    pool.getConnection = acquire;
    for (const [connection, query] of watched) connection.query = query;
  }
  return sent;
};
