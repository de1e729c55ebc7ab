import { setTimeout as sleep } from 'node:timers/promises';
import {
  DataSource,
  type EntityManager,
  type EntitySchema,
  MigrationExecutor,
  type MigrationInterface,
} from 'typeorm';
import { failPoint, loseResponse } from '../process/fail-point.ts';
import type { Log } from '../process/log.ts';
import { withDirectQueries } from './direct-query.ts';

export type Db = DataSource;
export type Tx = EntityManager;

type DbParts = {
  url: string;
  entities: EntitySchema[];
  migrations: (new () => MigrationInterface)[];
  poolSize?: number;
};

/** How long a request waits for a free connection before it is told that the database is busy. */
const ACQUIRE_MS = 3_000;
const TRIES = 3;
const AGAIN = new Set(['ER_LOCK_DEADLOCK', 'ER_LOCK_WAIT_TIMEOUT']);

type Connection = { query: (sql: string) => void; release: () => void };
type GetConnection = (callback: (error: Error | null, connection?: Connection) => void) => void;
type Pool = {
  getConnection: GetConnection;
  on: (event: 'connection', listener: (connection: Connection) => void) => void;
};

const waitExceeded = (): Error =>
  Object.assign(new Error('no free database connection in time'), { code: 'POOL_WAIT_EXCEEDED' });

// mysql2's pool waits for ever. This bounds the wait, and gives back a connection that comes too late.
const boundAcquire = (pool: Pool): void => {
  const acquire = pool.getConnection.bind(pool);
  pool.getConnection = (callback) => {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      callback(waitExceeded());
    }, ACQUIRE_MS);
    acquire((error, connection) => {
      clearTimeout(timer);
      if (late) connection?.release();
      else callback(error, connection);
    });
  };
};

/** A database that is not connected yet; see `connect`. Times are UTC on both sides, numbers exact. */
export const createDb = ({ url, entities, migrations, poolSize = 10 }: DbParts): Db =>
  withDirectQueries(
    new DataSource({
      type: 'mysql',
      url,
      entities,
      migrations,
      synchronize: false,
      charset: 'utf8mb4',
      timezone: 'Z',
      supportBigNumbers: true,
      bigNumberStrings: false,
      connectTimeout: 5_000,
      poolSize,
      extra: { queueLimit: 2_000, enableKeepAlive: true, stringifyObjects: true },
    }),
  );

// READ COMMITTED for the whole session: naming it at each transaction would cost a round trip more.
const SESSION = [
  "SET SESSION time_zone = '+00:00', innodb_lock_wait_timeout = 5, sql_mode = 'STRICT_ALL_TABLES'",
  'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
];

/** Prepares the connections to come, and the one that TypeORM opened to look at the server. */
const prepareSessions = async (db: Db): Promise<void> => {
  const pool = (db.driver as unknown as { pool: Pool }).pool; // TypeORM has no door of its own to the pool
  pool.on('connection', (connection) => SESSION.forEach((statement) => connection.query(statement)));
  boundAcquire(pool);
  for (const statement of SESSION) await db.query(statement);
};

/**
 * Runs pending migrations, one process at a time: the others wait for the lock and find nothing left to do. All on the
 * connection that holds the lock, so that a pool of one is enough.
 */
const migrate = async (db: Db): Promise<void> => {
  const runner = db.createQueryRunner();
  try {
    await runner.query("SELECT GET_LOCK(CONCAT('migrate:', DATABASE()), 120)");
    const executor = new MigrationExecutor(db, runner);
    executor.transaction = 'none'; // each DDL statement commits by itself; migrations are written to run again
    await executor.executePendingMigrations();
  } finally {
    await runner.query("SELECT RELEASE_LOCK(CONCAT('migrate:', DATABASE()))").catch(() => undefined);
    await runner.release();
  }
};

/** Connects and migrates; tries until it works or `signal` ends the waiting, and says once a while what it waits for. */
export const connect = async (db: Db, log: Log, signal?: AbortSignal): Promise<void> => {
  for (let attempt = 0; !signal?.aborted; attempt += 1) {
    try {
      if (!db.isInitialized) {
        await db.initialize();
        await prepareSessions(db);
      }
      await migrate(db);
      return;
    } catch (error) {
      if (attempt % 10 === 0) log.warn({ err: error }, 'waiting for the database');
      await sleep(Math.min(100 * 2 ** attempt, 2_000), undefined, signal ? { signal } : {}).catch(
        () => undefined,
      );
    }
  }
};

const afterCommits = new WeakMap<Tx, (() => void)[]>();

/** Runs `work` once the transaction is committed; never when it rolls back. */
export const afterCommit = (tx: Tx, work: () => void): void => {
  afterCommits.get(tx)?.push(work);
};

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;

const once = async <T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> => {
  const committed: (() => void)[] = [];
  const result = await db.transaction((tx) => {
    afterCommits.set(tx, committed);
    return work(tx);
  });
  failPoint('transaction.after_commit');
  loseResponse('transaction.answer_lost');
  for (const then of committed) then();
  return result;
};

/**
 * One transaction. When the database breaks a deadlock or a lock wait at our cost, the whole of it runs again, at most
 * three times in all; `work` must therefore do nothing outside `tx`. READ COMMITTED: every right is guarded by a
 * conditional UPDATE, a unique key or a row lock, never by a repeated read.
 */
export const inTransaction = async <T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await once(db, work);
    } catch (error) {
      if (attempt === TRIES || !AGAIN.has(String(codeOf(error)))) throw error;
      await sleep(Math.random() * 20 * attempt);
    }
  }
};

/** The time of the one clock that all processes share, for moments that they hold against each other. */
export const databaseNow = async (tx: Tx): Promise<Date> => {
  const rows: [{ now: Date }] = await tx.query('SELECT NOW(3) AS now');
  return rows[0].now;
};

/** True when `error` says that a unique key already holds this value. */
export const isDuplicate = (error: unknown): boolean => codeOf(error) === 'ER_DUP_ENTRY';

/** The number of rows that an INSERT, UPDATE or DELETE changed. */
export const affectedRows = (result: unknown): number => (result as { affectedRows: number }).affectedRows;
