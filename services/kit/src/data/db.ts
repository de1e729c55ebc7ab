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
import { inSampledSpan } from '../process/trace.ts';
import { type DatabaseAddress, parseDatabaseUrl } from './variables.ts';
import { withDirectQueries } from './direct-query.ts';
import {
  createStatementWatch,
  WATCH_LIMITS,
  type WatchedConnection,
  type WatchLimits,
} from './statement-watch.ts';

export type Db = DataSource;
export type Tx = EntityManager;

type DbLimits = WatchLimits & {
  /** How long a request waits for a free connection before it fails as unavailable. */
  acquireMs: number;
};

type DbParts = {
  url: string;
  entities: EntitySchema[];
  migrations: (new () => MigrationInterface)[];
  poolSize?: number;
  limits?: Partial<DbLimits>;
};

/** In production. */
export const DB_LIMITS: DbLimits = { ...WATCH_LIMITS, acquireMs: 3_000 };
const TRIES = 3;
const RETRYABLE = new Set(['ER_LOCK_DEADLOCK', 'ER_LOCK_WAIT_TIMEOUT']);

type Connection = WatchedConnection & { release: () => void };
type GetConnection = (callback: (error: Error | null, connection?: Connection) => void) => void;
type Pool = {
  getConnection: GetConnection;
  on: (event: 'connection', listener: (connection: Connection) => void) => void;
};

const waitExceeded = (): Error =>
  Object.assign(new Error('timed out waiting for a database connection'), { code: 'POOL_WAIT_EXCEEDED' });

/** The limits of the handles that have others. */
const otherLimits = new WeakMap<Db, Partial<DbLimits>>();

type AcquireBounds = { acquireMs: number; watch: (connection: Connection) => void };

// mysql2's pool waits without limit. This limits the wait, releases a connection that arrives after it, and watches the others.
const boundAcquire = (pool: Pool, { acquireMs, watch }: AcquireBounds): void => {
  const acquire = pool.getConnection.bind(pool);
  pool.getConnection = (callback) => {
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      callback(waitExceeded());
    }, acquireMs);
    acquire((error, connection) => {
      clearTimeout(timer);
      if (connection) watch(connection);
      if (timedOut) connection?.release();
      else callback(error, connection);
    });
  };
};

/**
 * Creates a database handle; `connect` connects it. `url` has a form of `parseDatabaseUrl`. Times are UTC on both sides; integers
 * beyond 2^53 arrive as strings.
 */
export const createDb = ({ url, entities, migrations, poolSize = 10, limits }: DbParts): Db => {
  const db = withDirectQueries(
    new DataSource({
      type: 'mysql',
      ...parseDatabaseUrl(url),
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
  if (limits) otherLimits.set(db, limits);
  return db;
};

// READ COMMITTED for the whole session: setting it for each transaction would cost one more round trip.
const SESSION = [
  "SET SESSION time_zone = '+00:00', innodb_lock_wait_timeout = 5, sql_mode = 'STRICT_ALL_TABLES'",
  'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
];

/** Sets the session variables of every new connection, and of the one that TypeORM has opened already. */
const prepareSessions = async (db: Db): Promise<void> => {
  const pool = (db.driver as unknown as { pool: Pool }).pool; // TypeORM does not expose the pool
  pool.on('connection', (connection) => SESSION.forEach((statement) => connection.query(statement)));
  const { acquireMs, ...limits } = { ...DB_LIMITS, ...otherLimits.get(db) };
  boundAcquire(pool, { acquireMs, watch: createStatementWatch(db.options as DatabaseAddress, limits) });
  for (const statement of SESSION) await db.query(statement);
};

/**
 * Runs pending migrations under a named lock: concurrent processes wait for it and find nothing left to run. Everything uses the
 * connection that has the lock, so that a pool of one connection is enough.
 */
const migrate = async (db: Db): Promise<void> => {
  const runner = db.createQueryRunner();
  try {
    await runner.query("SELECT GET_LOCK(CONCAT('migrate:', DATABASE()), 120)");
    const executor = new MigrationExecutor(db, runner);
    executor.transaction = 'none'; // each DDL statement commits by itself; migrations are safe to run again
    await executor.executePendingMigrations();
  } finally {
    await runner.query("SELECT RELEASE_LOCK(CONCAT('migrate:', DATABASE()))").catch(() => undefined);
    await runner.release();
  }
};

/** Connects and migrates; retries until it succeeds or `signal` aborts, and logs at intervals what it waits for. */
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

/** Runs `work` after the transaction has committed; never after a rollback. */
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
  loseResponse('transaction.response_lost');
  for (const run of committed) run();
  return result;
};

const TRANSACTION_SPAN = { kind: 'client', attributes: { 'db.system.name': 'mysql' } } as const;

/**
 * Runs `work` in one transaction. When it is the victim of a deadlock or a lock wait timeout, the whole of it runs again, at most
 * three times in all; `work` must have no effects outside `tx`. The isolation level is READ COMMITTED: invariants are guarded
 * by a conditional UPDATE, a unique key or a row lock, never by reading twice.
 */
export const inTransaction = async <T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await inSampledSpan('transaction', TRANSACTION_SPAN, () => once(db, work));
    } catch (error) {
      if (attempt === TRIES || !RETRYABLE.has(String(codeOf(error)))) throw error;
      await sleep(Math.random() * 20 * attempt);
    }
  }
};

/** The database server's time: the one clock that all processes share, for times that they compare with each other. */
export const databaseNow = async (tx: Tx): Promise<Date> => {
  const [row] = await tx.query<[{ now: Date }]>('SELECT NOW(3) AS now');
  return row.now;
};

/** Whether `error` is the violation of a unique key. */
export const isDuplicate = (error: unknown): boolean => codeOf(error) === 'ER_DUP_ENTRY';

/** The number of rows that an INSERT, UPDATE or DELETE changed. */
export const affectedRows = (result: unknown): number => (result as { affectedRows: number }).affectedRows;
