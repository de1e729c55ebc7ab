import { createConnection } from 'mysql2/promise';
import { logInAdmin } from '../../harness/client.ts';
import type { System } from '@shortlist/local/system';
import { seedDatabases } from '../../harness/seed-databases.ts';
import { saveCeiling } from '../capacity/measured.ts';
import { directoryQueries } from './directory-queries.ts';
import { percentile, type Print, timed } from './measure.ts';
import { withSystem } from './surroundings.ts';

const USERS = Number(process.env.USERS ?? 1_000_000);
const ROUNDS = Number(process.env.ROUNDS ?? 26);
const NEWEST_ROUNDS = 400;
const WARM_UP_ROUNDS = 500;
const GOAL_MS = 300;
const MEMORY_MB = 4_096;
const SOURCE = 'SAVE=yes make bench b=directory';

const describe = (name: string, times: readonly number[]): string => {
  const figures = [percentile(times, 0.5), percentile(times, 0.95), Math.max(...times)];
  const [p50, p95, max] = figures.map((ms) => ms.toFixed(0).padStart(5));
  return `${name.padEnd(58)} p50 ${p50}   p95 ${p95}   max ${max} ms   n ${times.length}`;
};

/** Loads so many users into the databases of the system, with the memory of a production host. */
export const seedPopulation = async (
  system: System,
  population: { count: number; now: Date },
  print: Print,
): Promise<void> => {
  const adminUrl = system.backing.databaseAdminUrl;
  const db = await createConnection(adminUrl);
  await db.query(`SET GLOBAL innodb_buffer_pool_size = ${MEMORY_MB * 1024 * 1024}`);
  await db.end();
  print(`seeding ${population.count} users`);
  await seedDatabases({ adminUrl, ...population, print });
};

type Measure = (rounds: number, pathAt: (round: number) => string) => Promise<number[]>;

const createMeasure =
  ({ publicUrl }: System, headers: Record<string, string>): Measure =>
  async (rounds, pathAt) => {
    const times: number[] = [];
    while (times.length < rounds) {
      const path = pathAt(times.length);
      const read = async (): Promise<void> => {
        const response = await fetch(`${publicUrl}${path}`, { headers });
        await response.arrayBuffer();
        if (response.status !== 200) throw new Error(`${path} returned ${response.status}`);
      };
      times.push(await timed(read));
    }
    return times;
  };

/** P12 Measures the response times of the user list for every kind of query, sent to bff as an admin. USERS and ROUNDS can be set. */
export const benchDirectory = (print: Print): Promise<void> =>
  withSystem({}, async (system) => {
    const population = { count: USERS, now: new Date() };
    await seedPopulation(system, population, print);
    const measure = createMeasure(system, { authorization: `Bearer ${await logInAdmin(system)}` });
    const newest = (): string => '/api/users/newest?limit=20';
    await measure(WARM_UP_ROUNDS, newest);
    print(describe('newest 20', await measure(NEWEST_ROUNDS, newest)));
    const all: number[] = [];
    const slow: string[] = [];
    for (const [name, queryAt] of directoryQueries(population)) {
      const times = await measure(ROUNDS, (round) => `/api/users?${queryAt(round)}`);
      print(describe(name, times));
      all.push(...times);
      if (percentile(times, 0.95) >= GOAL_MS) slow.push(name);
    }
    print(describe('all of the list', all));
    print(`queries with a p95 of ${GOAL_MS} ms or more: ${slow.length === 0 ? 'none' : slow.join(' | ')}`);
    if (percentile(all, 0.95) >= GOAL_MS) return;
    await saveCeiling('listedUsersTried', SOURCE, USERS);
    await saveCeiling('listMemoryMegabytes', SOURCE, MEMORY_MB);
  });
