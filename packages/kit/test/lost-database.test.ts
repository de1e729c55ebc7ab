import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect, createDb, type Db, inTransaction } from '../src/data/db.ts';
import { DB_LIMITS } from '../src/data/driver.ts';
import { isUnavailable } from '../src/process/errors.ts';
import { createEmptyDatabase } from '../src/testing/databases.ts';
import { until } from '../src/testing/until.ts';
import { openLine } from './frozen-connection.ts';
import { silent } from './notes-table.ts';

type Line = Awaited<ReturnType<typeof openLine>>;
let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let line: Line;
let db: Db;
/** Shorter than in production. */
const limits = { statementMs: 300, acquireMs: 1_000 };
beforeAll(async () => {
  database = await createEmptyDatabase();
  const server = new URL(database.url);
  line = await openLine(server.href);
  const { hostname, port } = new URL(line.url);
  server.hostname = hostname;
  server.port = port;
  db = createDb({ url: server.href, entities: [], migrations: [], poolSize: 4, limits });
  await connect(db, silent);
});
afterAll(async () => {
  line.close();
  await db.destroy();
  await database.drop();
});

const isBack = (): Promise<boolean> =>
  db.query('SELECT 1').then(
    () => true,
    () => false,
  );
const failures = async (count: number): Promise<unknown[]> => {
  const statements = Array.from({ length: count }, () => db.query('SELECT 1'));
  const results = await Promise.allSettled(statements);
  return results.map((result) => (result.status === 'rejected' ? (result.reason as unknown) : null));
};

it('X12 the limits leave enough time to retry an event’s effect', () => {
  // An effect has twenty seconds.
  expect(DB_LIMITS.acquireMs + DB_LIMITS.statementMs).toBeLessThan(15_000);
});

it('X12 statements to a database that has vanished fail as unavailable', async () => {
  await Promise.all(Array.from({ length: 4 }, () => db.query('SELECT SLEEP(0.05)'))); // opens the pool's connections
  line.freeze();
  for (const failure of await failures(10)) expect(isUnavailable(failure)).toBe(true);
  line.thaw();
  await until('the database', isBack);
});

it('X12 statements on connections that the database has forgotten fail, and new connections replace them', async () => {
  await Promise.all(Array.from({ length: 4 }, () => db.query('SELECT SLEEP(0.05)')));
  await line.forget();
  for (const failure of await failures(4)) expect(isUnavailable(failure)).toBe(true);
  await until('a new connection', isBack);
});

const LONG = 'SELECT COUNT(*) AS n FROM (SELECT SLEEP(?) AS slept) slow';

it('X12 running statements complete while the server is slow and accepts no more connections', async () => {
  const full = await openLine(database.url);
  const server = new URL(database.url);
  server.host = new URL(full.url).host;
  const slow = createDb({ url: server.href, entities: [], migrations: [], poolSize: 3 });
  await connect(slow, silent);
  const begun = Promise.withResolvers<void>();
  const working = inTransaction(slow, async (tx) => {
    full.fill();
    begun.resolve();
    return tx.query<{ done: number }[]>('SELECT SLEEP(4) AS done');
  });
  await begun.promise;
  const more = await Promise.allSettled(Array.from({ length: 3 }, () => slow.query('SELECT SLEEP(0.2)')));
  for (const one of more) if (one.status === 'rejected') expect(isUnavailable(one.reason)).toBe(true);
  expect(more.some(({ status }) => status === 'rejected')).toBe(true);
  expect(await working).toEqual([{ done: 0 }]);
  full.close();
  await slow.destroy().catch(() => undefined); // its connections are lost
});

it('X12 the server ends a statement after its limit, and the connection can be used again', async () => {
  const alone = createDb({ url: database.url, entities: [], migrations: [], poolSize: 1, limits });
  await connect(alone, silent);
  const [before] = await alone.query<{ id: number }[]>('SELECT CONNECTION_ID() AS id');
  const error: unknown = await alone.query(LONG, [30]).catch((cause: unknown) => cause);
  // MySQL interrupts SLEEP, which then has a result.
  if (error instanceof Error) expect(isUnavailable(error)).toBe(true);
  const [after] = await alone.query<{ id: number }[]>('SELECT CONNECTION_ID() AS id');
  expect(after).toEqual(before);
  await alone.destroy();
});
