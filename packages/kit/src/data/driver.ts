// TypeORM's `driver`: mysql2's pool, with limits on how long a caller waits for a connection and how long a statement may take. If a server
// vanishes without closing its connections, as when its machine is lost, statements would otherwise wait until the operating system gives up
// after a quarter of an hour.
import { createPool, type PoolConnection, type PoolOptions } from 'mysql2';
import { reportConnection } from '../process/certificates.ts';

export type DbLimits = {
  /** How long a request waits for a free connection before it fails as unavailable. */
  acquireMs: number;
  /** How long the server lets a statement run; 0 means no limit. MySQL ends only reads, MariaDB every statement. */
  statementMs: number;
};

/** In production. */
export const DB_LIMITS: DbLimits = { acquireMs: 3_000, statementMs: 8_000 };
/** If a server has not ended a statement this long after its limit, it counts as unavailable. */
const ANSWER_MS = 2_000;

type Callback<T> = (error: Error | null, result?: T) => void;
/** A connection as TypeORM uses it. `query` calls back exactly once, at the latest after the statement's time limit. */
export type Connection = {
  query: (sql: string, values: readonly unknown[] | undefined, callback: Callback<unknown>) => void;
  promise: () => { query: (sql: string, values?: readonly unknown[]) => Promise<[unknown]> };
  release: () => void;
  on: (event: 'error', listener: (error: Error) => void) => void;
  listeners: (event: 'error') => unknown[];
};
type Pool = {
  getConnection: (callback: Callback<Connection>) => void;
  end: (callback: (error?: Error | null) => void) => void;
};
type Driver = { createPool: (options: PoolOptions) => Pool };

const withCode = (code: string, message: string): Error => Object.assign(new Error(message), { code });
const waitExceeded = (): Error =>
  withCode('POOL_WAIT_EXCEEDED', 'timed out waiting for a database connection');
const noAnswer = (): Error => withCode('ETIMEDOUT', 'the database does not respond');

/**
 * Calls `callback` once: with the result of `start`, or with the error of `expire` after `limitMs`. `onLate` receives a result that arrives later.
 */
const withinLimit = <T>(
  start: (callback: Callback<T>) => void,
  { limitMs, expire, onLate }: { limitMs: number; expire: () => Error; onLate?: (result?: T) => void },
  callback: Callback<T>,
): void => {
  let isExpired = false;
  const timer = setTimeout(() => {
    isExpired = true;
    callback(expire());
  }, limitMs);
  start((error, result) => {
    clearTimeout(timer);
    if (isExpired) onLate?.(result);
    else callback(error, result);
  });
};

/** A connection whose statements end within `limitMs`; one that exceeds the limit ends with the connection. */
const limitStatements = (connection: PoolConnection, limitMs: number): Connection => {
  const expire = (): Error => {
    connection.destroy();
    return noAnswer();
  };
  const query: Connection['query'] = (sql, values, callback) => {
    const start = (done: Callback<unknown>): void =>
      void connection.query(sql, values as unknown[] | undefined, done);
    if (limitMs === 0) start(callback);
    else withinLimit(start, { limitMs, expire }, callback);
  };
  const promised = {
    query: (sql: string, values?: readonly unknown[]): Promise<[unknown]> =>
      new Promise((resolve, reject) => {
        limited.query(sql, values, (error, result) => (error ? reject(error) : resolve([result])));
      }),
  };
  const limited: Connection = {
    query,
    promise: () => promised,
    release: () => connection.release(),
    on: (event, listener) => void connection.on(event, listener),
    listeners: (event) => connection.listeners(event),
  };
  return limited;
};

// READ COMMITTED is set for the session, because setting it for each transaction would cost another round trip. Each server ignores the other's
// statement limit.
const sessionStatements = (statementMs: number): string[] => [
  `SET SESSION time_zone = '+00:00', innodb_lock_wait_timeout = 5, sql_mode = 'STRICT_ALL_TABLES'
   /*M!100101 , max_statement_time = ${statementMs / 1_000} */ /*!50708 , max_execution_time = ${statementMs} */`,
  'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
];

/** Sets the session variables of a new connection, which is discarded if that fails. */
const prepareSession = (connection: PoolConnection, statementMs: number): void => {
  connection.on('error', () => undefined); // the running statement fails with it
  for (const statement of sessionStatements(statementMs))
    connection.query(statement, (error) => error && connection.destroy());
};

/** The driver of one database handle. */
export const createDriver = ({ acquireMs, statementMs }: DbLimits): Driver => ({
  createPool: (options) => {
    const pool = createPool(options);
    const limitMs = statementMs === 0 ? 0 : statementMs + ANSWER_MS;
    const limited = new WeakMap<PoolConnection, Connection>();
    const limitedOf = (connection: PoolConnection): Connection => {
      const known = limited.get(connection) ?? limitStatements(connection, limitMs);
      limited.set(connection, known);
      return known;
    };
    pool.on('connection', (connection) => {
      prepareSession(connection, statementMs);
      reportConnection({ server: 'database', socket: (connection as { stream?: unknown }).stream });
    });
    const acquire = (callback: Callback<PoolConnection>): void => pool.getConnection(callback);
    const bounds = {
      limitMs: acquireMs,
      expire: waitExceeded,
      onLate: (connection?: PoolConnection) => connection?.release(),
    };
    return {
      getConnection: (callback) =>
        withinLimit(acquire, bounds, (error, connection) =>
          connection ? callback(null, limitedOf(connection)) : callback(error),
        ),
      end: (callback) => pool.end(callback),
    };
  },
});
