import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect, createDb, type Db, DB_LIMITS } from '../src/data/db.ts';
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
const limits = { suspectMs: 300, probeMs: 500, acquireMs: 1_000 };
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

it('X12 a statement without a result fails in the five seconds that a caller of a service waits', () => {
  // The probe connects, and then reads.
  expect(DB_LIMITS.suspectMs + 2 * DB_LIMITS.probeMs).toBeLessThan(5_000);
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

it('a statement that takes long is not cut off while the database works on it', async () => {
  // A slow server has time to respond to the probe.
  const patient = createDb({
    url: database.url,
    entities: [],
    migrations: [],
    poolSize: 1,
    limits: { suspectMs: 100, probeMs: 60_000 },
  });
  await connect(patient, silent);
  expect(await patient.query('SELECT SLEEP(0.5) AS done')).toEqual([{ done: 0 }]);
  await patient.destroy();
});
