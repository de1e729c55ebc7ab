import { startSystem } from '@shortlist/local/system';
import { createConnection, type Connection } from 'mysql2/promise';
import { logInAdmin } from '../../tests/journeys/client.ts';
import { seedDatabases } from '../seed/seed-databases.ts';
import { type QueryAt, directoryQueries } from './directory-queries.ts';
import { percentile } from './percentile.ts';

const USERS = Number(process.env.USERS ?? 1_000_000);
const ROUNDS = Number(process.env.ROUNDS ?? 26);

type Target = { publicUrl: string; token: string };

const timed = async ({ publicUrl, token }: Target, path: string): Promise<number> => {
  const startedAt = performance.now();
  const response = await fetch(`${publicUrl}${path}`, { headers: { authorization: `Bearer ${token}` } });
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`${path} returned ${response.status}`);
  return performance.now() - startedAt;
};

const describe = (name: string, times: number[]): string => {
  const figures = [percentile(times, 0.5), percentile(times, 0.95), Math.max(...times)];
  const [p50, p95, max] = figures.map((ms) => ms.toFixed(0).padStart(5));
  return `${name.padEnd(58)} p50 ${p50}   p95 ${p95}   max ${max} ms   n ${times.length}`;
};

const NEWEST = '/api/users/newest?limit=20';
const NEWEST_ROUNDS = 400;
const WARM_UP_MS = 3_000;

/** Newly started processes are slow regardless of the number of users. */
const warmUp = async (target: Target): Promise<void> => {
  for (const startedAt = performance.now(); performance.now() - startedAt < WARM_UP_MS;)
    await timed(target, NEWEST);
};

const measure = async (
  target: Target,
  { name, pathAt, rounds = ROUNDS }: { name: string; pathAt: QueryAt; rounds?: number },
): Promise<{ text: string; times: number[] }> => {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) times.push(await timed(target, pathAt(round)));
  return { text: describe(name, times), times };
};

/** Prints one line for each kind of query, sent to bff as an admin, and one for all of them. */
const measureDirectory = async (
  target: Target,
  population: { count: number; now: Date },
  print: (line: string) => void,
): Promise<void> => {
  await warmUp(target);
  const newest = await measure(target, { name: 'newest 20', pathAt: () => NEWEST, rounds: NEWEST_ROUNDS });
  print(newest.text);
  const all: number[] = [];
  const slow: string[] = [];
  for (const [name, queryAt] of directoryQueries(population)) {
    const { text, times } = await measure(target, {
      name,
      pathAt: (round) => `/api/users?${queryAt(round)}`,
    });
    print(text);
    all.push(...times);
    if (percentile(times, 0.95) >= 300) slow.push(name);
  }
  print(describe('all of the list', all));
  print(`queries with a p95 of 300 ms or more: ${slow.length === 0 ? 'none' : slow.join(' | ')}`);
};

const MEMORY_MB = 4_096;

/** Gives the database the memory of a production host; the default for development is small. */
const growBufferPool = async (db: Connection): Promise<void> => {
  await db.query(`SET GLOBAL innodb_buffer_pool_size = ${MEMORY_MB * 1024 * 1024}`);
};

const printSize = async (db: Connection, print: (line: string) => void): Promise<void> => {
  const [rows] = await db.query(
    `SELECT TABLE_SCHEMA AS name, ROUND(SUM(DATA_LENGTH + INDEX_LENGTH) / 1048576) AS megabytes
     FROM information_schema.TABLES WHERE TABLE_SCHEMA IN ('identity', 'profile', 'billing', 'credits') GROUP BY TABLE_SCHEMA`,
  );
  const sizes = (rows as { name: string; megabytes: number }[]).map(
    ({ name, megabytes }) => `${name} ${megabytes} MB`,
  );
  print(`on disk: ${sizes.join(', ')}; buffer pool: ${MEMORY_MB} MB`);
};

/** Measures the response times of the user list for every kind of query. USERS and ROUNDS can be set. */
export const benchDirectory = async (print: (line: string) => void): Promise<void> => {
  const system = await startSystem({});
  const db = await createConnection(system.backing.databaseAdminUrl);
  try {
    await growBufferPool(db);
    const population = { count: USERS, now: new Date() };
    print(`seeding ${USERS} users`);
    const startedAt = performance.now();
    await seedDatabases({ adminUrl: system.backing.databaseAdminUrl, ...population, print });
    print(`seeded in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
    await printSize(db, print);
    await measureDirectory(
      { publicUrl: system.publicUrl, token: await logInAdmin(system) },
      population,
      print,
    );
  } finally {
    await db.end();
    await system.stop();
  }
};
