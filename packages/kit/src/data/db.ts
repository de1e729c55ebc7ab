import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { getCACertificates } from 'node:tls';
import type { SslOptions } from 'mysql2';
import {
  DataSource,
  type DataSourceOptions,
  type EntityManager,
  type EntitySchema,
  MigrationExecutor,
  type MigrationInterface,
} from 'typeorm';
import { failPoint, loseResponse } from '../process/fail-point.ts';
import type { Log } from '../process/log.ts';
import { inSampledSpan } from '../process/trace.ts';
import { createDriver, DB_LIMITS, type DbLimits } from './driver.ts';
import { logMigrations } from './migration.ts';
import { takeLock } from './named-lock.ts';
import { parseDatabaseUrl } from './variables.ts';

export type Db = DataSource;
export type Tx = EntityManager;

type MysqlOptions = Extract<DataSourceOptions, { type: 'mysql' | 'mariadb' }>;

type DbParts = {
  url: string;
  entities: EntitySchema[];
  migrations: (new () => MigrationInterface)[];
  poolSize?: number;
  limits?: Partial<DbLimits>;
};

const TRIES = 3;
const RETRYABLE = new Set(['ER_LOCK_DEADLOCK', 'ER_LOCK_WAIT_TIMEOUT']);

/** mysql2 reuses what it has prepared for an `ssl` object while `ca` is the same. Node's list is another one after each change. */
const withCurrentAuthorities = (ssl: SslOptions): SslOptions => ({
  ...ssl,
  get ca() {
    return getCACertificates();
  },
});

/**
 * Creates a database handle; `connect` connects it. `url` has a form of `parseDatabaseUrl`. Times are UTC on both sides; integers
 * beyond 2^53 arrive as strings.
 */
export const createDb = ({ url, entities, migrations, poolSize = 10, limits }: DbParts): Db => {
  const { ssl, ...address } = parseDatabaseUrl(url);
  const all = { ...DB_LIMITS, ...limits };
  return new DataSource({
    type: 'mysql',
    ...address,
    ...(ssl ? { ssl: withCurrentAuthorities(ssl) } : {}),
    entities,
    migrations,
    synchronize: false,
    charset: 'utf8mb4',
    timezone: 'Z',
    supportBigNumbers: true,
    bigNumberStrings: false,
    connectTimeout: 5_000,
    driver: createDriver(all),
    poolSize,
    // Nothing prepares statements, and the cache for 16,000 of them takes half a megabyte of each connection.
    extra: { queueLimit: 2_000, enableKeepAlive: true, stringifyObjects: true, maxPreparedStatements: 1 },
  });
};

/** Short, because callers try again: another process may hold the lock for as long as its migration takes. */
const LOCK_WAIT_SECONDS = 2;

/**
 * Runs pending migrations under a named lock, so that only one of several processes migrates. Throws while another process has the lock. The
 * connection that has the lock has no time limit, because changing a large table takes long. The second connection is for a migration that
 * keeps rows locked in the meantime.
 */
const migrate = async (db: Db, log: Log): Promise<void> => {
  const driver = createDriver({ ...DB_LIMITS, statementMs: 0 });
  const migrating = new DataSource({
    ...(db.options as MysqlOptions),
    entities: [],
    driver,
    poolSize: 2,
  });
  logMigrations(migrating, log);
  await migrating.initialize();
  try {
    const runner = migrating.createQueryRunner();
    if (!(await takeLock(runner, 'migrate', LOCK_WAIT_SECONDS)))
      throw new Error('another process is migrating the database');
    const executor = new MigrationExecutor(migrating, runner);
    executor.transaction = 'none'; // DDL statements commit implicitly; migrations are safe to run again
    await executor.executePendingMigrations();
  } finally {
    await migrating.destroy(); // also releases the lock
  }
};

/** Connects and migrates; retries until it succeeds or `signal` aborts, and logs at intervals what it waits for. */
export const connect = async (db: Db, log: Log, signal?: AbortSignal): Promise<void> => {
  for (let attempt = 0; !signal?.aborted; attempt += 1) {
    try {
      if (!db.isInitialized) await db.initialize();
      await migrate(db, log);
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

type CommitCheck = (tx: Tx) => Promise<void>;
const commitChecks = new AsyncLocalStorage<CommitCheck | undefined>();

/** Runs `work`; its transactions commit only if `check` passes. */
export const withCommitCheck = <T>(check: CommitCheck, work: () => T): T => commitChecks.run(check, work);

/** Runs now the check that the transaction would otherwise run before its commit, ahead of a change that would make it fail. */
export const runCommitCheck: CommitCheck = async (tx) => commitChecks.getStore()?.(tx);

/** Runs the check outside a transaction, ahead of an external effect such as an order at the payment provider. */
export const runEffectCheck = (db: Db): Promise<void> => runCommitCheck(db.createEntityManager());

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;

const once = async <T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> => {
  const committed: (() => void)[] = [];
  const result = await db.transaction(async (tx) => {
    afterCommits.set(tx, committed);
    const done = await work(tx);
    await runCommitCheck(tx);
    return done;
  });
  failPoint('transaction.after_commit');
  loseResponse('transaction.response_lost');
  // Whatever they start outlives the request.
  commitChecks.run(undefined, () => committed.forEach((run) => run()));
  return result;
};

const TRANSACTION_SPAN = { kind: 'client', attributes: { 'db.system.name': 'mysql' } } as const;

/**
 * Runs `work` in one transaction. After a deadlock or a lock wait timeout it runs again as a whole, at most three times in all; `work` must
 * have no effects outside `tx`. The isolation level is READ COMMITTED: invariants are guarded by a conditional UPDATE, a unique key or a row
 * lock, never by reading twice.
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

/** A clock shared by all processes, for times that they compare with each other. */
export type SharedClock = (tx: Tx) => Promise<Date>;

/** The database server's time. */
export const databaseNow: SharedClock = async (tx) => {
  const [row] = await tx.query<[{ now: Date }]>('SELECT NOW(3) AS now');
  return row.now;
};

/** Whether `error` is a unique key violation. */
export const isDuplicate = (error: unknown): boolean => codeOf(error) === 'ER_DUP_ENTRY';

/** The number of rows that an INSERT, UPDATE or DELETE changed. */
export const affectedRows = (result: unknown): number => (result as { affectedRows: number }).affectedRows;
