import { afterAll, beforeAll, expect, it } from 'vitest';
import { openReader, type Reader } from '../src/data/reader.ts';
import { createEmptyDatabase } from '../src/testing/databases.ts';
import { until } from '../src/testing/until.ts';

let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let reader: Reader;
let observer: Reader;
beforeAll(async () => {
  database = await createEmptyDatabase();
  reader = await openReader(database.url);
  observer = await openReader(new URL('/', database.url).href);
});
afterAll(async () => {
  await reader.close();
  await observer.close();
  await database.drop();
});

const NUMBERS = 'SELECT seq AS n FROM (SELECT 1 AS seq UNION SELECT 2 UNION SELECT 3) AS numbers';
const MANY = `SELECT 1 AS n ${Array.from({ length: 2_000 }, () => 'UNION ALL SELECT 1').join(' ')}`;

const countConnections = async (): Promise<number> => {
  const name = new URL(database.url).pathname.slice(1);
  const rows = await observer.select<{ db: string | null }>('SHOW PROCESSLIST');
  return rows.filter(({ db }) => db === name).length;
};

const read = async (sql: string): Promise<number[]> => {
  const numbers = [];
  for await (const { n } of reader.stream<{ n: number }>(sql)) numbers.push(n);
  return numbers;
};

it('reads one stream after the other over one more connection', async () => {
  for (let index = 0; index < 10; index += 1) expect(await read(NUMBERS)).toEqual([1, 2, 3]);
  expect(await countConnections()).toBe(2);
});

it('reads streams at the same time, and selects meanwhile', async () => {
  const both = [];
  for await (const { n } of reader.stream<{ n: number }>(NUMBERS)) {
    const [row] = await reader.select<{ n: number }>('SELECT 10 AS n');
    both.push(...(await read(NUMBERS)).map((inner) => n * (row?.n ?? 0) + inner));
  }
  expect(both).toEqual([11, 12, 13, 21, 22, 23, 31, 32, 33]);
});

it('closes the connection of a stream that is left early, and reads the next in full', async () => {
  const before = await countConnections();
  for await (const { n } of reader.stream<{ n: number }>(MANY)) if (n === 1) break;
  await until('the end of the connection', async () => (await countConnections()) < before);
  expect(await read(MANY)).toHaveLength(2_001);
});

it('reports what the server refuses, and goes on', async () => {
  await expect(read('SELECT n FROM absent')).rejects.toThrow("doesn't exist");
  await expect(read('CREATE TABLE made (n INT)')).rejects.toThrow('READ ONLY');
  expect(await read(NUMBERS)).toEqual([1, 2, 3]);
});

it('closes all its connections', async () => {
  await read(NUMBERS);
  await reader.close();
  await until('the end of all connections', async () => (await countConnections()) === 0);
  reader = await openReader(database.url);
});
