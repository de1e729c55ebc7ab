import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect, createDb, type Db } from '../src/data/db.ts';
import { isUnavailable } from '../src/process/errors.ts';
import { createEmptyDatabase } from '../src/testing/test-db.ts';
import { until } from '../src/testing/until.ts';
import { openLine } from './frozen-connection.ts';
import { silent } from './notes-table.ts';

type Line = Awaited<ReturnType<typeof openLine>>;
let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let line: Line;
let db: Db;
beforeAll(async () => {
  database = await createEmptyDatabase();
  const server = new URL(database.url);
  line = await openLine(server.href);
  const { hostname, port } = new URL(line.url);
  server.hostname = hostname;
  server.port = port;
  db = createDb({ url: server.href, entities: [], migrations: [], poolSize: 4 });
  await connect(db, silent);
});
afterAll(async () => {
  line.close();
  await db.destroy();
  await database.drop();
});

/** What a caller of a service waits, less what it needs to send its response. */
const CALLER_MS = 4_900;
const failures = async (count: number): Promise<unknown[]> => {
  const began = performance.now();
  const statements = Array.from({ length: count }, () => db.query('SELECT 1'));
  const results = await Promise.allSettled(statements);
  expect(performance.now() - began).toBeLessThan(CALLER_MS);
  return results.map((result) => (result.status === 'rejected' ? (result.reason as unknown) : null));
};

it('X12 statements to a database that has vanished fail as unavailable while their caller waits', async () => {
  await Promise.all(Array.from({ length: 4 }, () => db.query('SELECT SLEEP(0.05)'))); // opens the pool's connections
  line.freeze();
  for (const failure of await failures(10)) expect(isUnavailable(failure)).toBe(true);
  line.thaw();
  const isBack = () =>
    db.query('SELECT 1').then(
      () => true,
      () => false,
    );
  await until('the database', isBack);
});

it('X12 statements on connections that the database has forgotten fail, and new connections replace them', async () => {
  await Promise.all(Array.from({ length: 4 }, () => db.query('SELECT SLEEP(0.05)')));
  await line.forget();
  for (const failure of await failures(4)) expect(isUnavailable(failure)).toBe(true);
  expect(await db.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

it('a statement that takes long is not cut off while the database works on it', async () => {
  expect(await db.query('SELECT SLEEP(6) AS done')).toEqual([{ done: 0 }]);
}, 20_000);
