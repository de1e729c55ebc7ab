import { startSystem } from '@shortlist/local/system';
import { createConnection, type Connection } from 'mysql2/promise';
import { logInAdmin } from '../../tests/journeys/client.ts';
import { seedDatabases } from '../seed/seed-databases.ts';
import { type Question, questionsAbout } from './directory-queries.ts';
import { percentile } from './percentile.ts';

const PEOPLE = Number(process.env.PEOPLE ?? 1_000_000);
const ROUNDS = Number(process.env.ROUNDS ?? 26);

type Endpoint = { publicUrl: string; token: string };

const timed = async ({ publicUrl, token }: Endpoint, path: string): Promise<number> => {
  const begun = performance.now();
  const response = await fetch(`${publicUrl}${path}`, { headers: { authorization: `Bearer ${token}` } });
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}`);
  return performance.now() - begun;
};

const describe = (name: string, times: number[]): string => {
  const figures = [percentile(times, 0.5), percentile(times, 0.95), Math.max(...times)];
  const [p50, p95, max] = figures.map((ms) => ms.toFixed(0).padStart(5));
  return `${name.padEnd(58)} p50 ${p50}   p95 ${p95}   max ${max} ms   n ${times.length}`;
};

const NEWEST = '/api/users/newest?limit=20';
const NEWEST_ROUNDS = 400;
const WARM_UP_MS = 3_000;

/** Processes that have just started are slow for reasons that have nothing to do with how many people there are. */
const warmUp = async (endpoint: Endpoint): Promise<void> => {
  for (const begun = performance.now(); performance.now() - begun < WARM_UP_MS;)
    await timed(endpoint, NEWEST);
};

const measure = async (
  endpoint: Endpoint,
  { name, pathAt, rounds = ROUNDS }: { name: string; pathAt: Question; rounds?: number },
): Promise<{ text: string; times: number[] }> => {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) times.push(await timed(endpoint, pathAt(round)));
  return { text: describe(name, times), times };
};

/** One line for each kind of question at bff's door as an admin, then all of them together. */
const measureDirectory = async (
  endpoint: Endpoint,
  crowd: { count: number; now: Date },
  tell: (line: string) => void,
): Promise<void> => {
  await warmUp(endpoint);
  const newest = await measure(endpoint, { name: 'newest 20', pathAt: () => NEWEST, rounds: NEWEST_ROUNDS });
  tell(newest.text);
  const all: number[] = [];
  const slow: string[] = [];
  for (const [name, question] of questionsAbout(crowd)) {
    const { text, times } = await measure(endpoint, {
      name,
      pathAt: (round) => `/api/users?${question(round)}`,
    });
    tell(text);
    all.push(...times);
    if (percentile(times, 0.95) >= 200) slow.push(name);
  }
  tell(describe('all of the list', all));
  tell(`kinds with a p95 of 200 ms or more: ${slow.length === 0 ? 'none' : slow.join(' | ')}`);
};

const MEMORY_MB = 4_096;

/** A database host for so many people has memory for them; the one of a developer's machine is kept small. */
const widenMemory = async (db: Connection): Promise<void> => {
  await db.query(`SET GLOBAL innodb_buffer_pool_size = ${MEMORY_MB * 1024 * 1024}`);
};

const tellSize = async (db: Connection, tell: (line: string) => void): Promise<void> => {
  const [rows] = await db.query(
    `SELECT TABLE_SCHEMA AS name, ROUND(SUM(DATA_LENGTH + INDEX_LENGTH) / 1048576) AS megabytes
     FROM information_schema.TABLES WHERE TABLE_SCHEMA IN ('identity', 'profile', 'billing', 'credits') GROUP BY TABLE_SCHEMA`,
  );
  const sizes = (rows as { name: string; megabytes: number }[]).map(
    ({ name, megabytes }) => `${name} ${megabytes} MB`,
  );
  tell(`on disk: ${sizes.join(', ')}; the database may hold ${MEMORY_MB} MB in memory`);
};

/** Time at bff's door for every kind of question to the list. PEOPLE and ROUNDS may be given. */
export const benchDirectory = async (tell: (line: string) => void): Promise<void> => {
  const system = await startSystem({});
  const db = await createConnection(system.backing.databaseAdminUrl);
  try {
    await widenMemory(db);
    const crowd = { count: PEOPLE, now: new Date() };
    tell(`seeding ${PEOPLE} people`);
    const begun = performance.now();
    await seedDatabases({ adminUrl: system.backing.databaseAdminUrl, ...crowd, tell });
    tell(`seeded in ${((performance.now() - begun) / 1000).toFixed(0)} s`);
    await tellSize(db, tell);
    await measureDirectory({ publicUrl: system.publicUrl, token: await logInAdmin(system) }, crowd, tell);
  } finally {
    await db.end();
    await system.stop();
  }
};
