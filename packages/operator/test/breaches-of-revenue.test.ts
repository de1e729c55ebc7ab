// Changes one movement of revenue at a time, of records that are the provider's.
import { schema } from '@shortlist/billing/db';
import { recordPage } from '@shortlist/billing/revenue/record-movements';
import { openReader, type Reader } from '@shortlist/kit/data/reader';
import { createTestDb, type TestDb } from '@shortlist/kit/testing/databases';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { revenueAddsUp, revenueAgrees } from '../src/verify/revenue.ts';
import type { Sources } from '../src/verify/sources.ts';
import { consistentProvider, consistentRecords, listOf, startProvider } from './provider-state.ts';

const ADA = '01900000-0000-7000-8000-0000000000aa';
const NOW = new Date('2026-05-20T00:00:00Z');
const TABLES = ['revenue_movements', 'revenue_sums', 'revenue_cohorts'];

let database: TestDb;
let billing: Reader;
let server: Awaited<ReturnType<typeof startProvider>>;

beforeAll(async () => {
  database = await createTestDb({ ...schema, poolSize: 2 });
  billing = await openReader(database.url);
  const provider = consistentProvider();
  server = await startProvider((path) => provider[listOf(path)]);
  await database.db.query(
    `INSERT INTO subscribers (user_id, email, name, customer_id) VALUES ('${ADA}', '', '', 'cus_1')`,
  );
  for (const statement of consistentRecords(ADA))
    await database.db.query(statement.replaceAll('billing.', ''));
});
afterAll(async () => {
  server.close();
  await billing.close();
  await database.drop();
});
beforeEach(async () => {
  for (const table of TABLES) await database.db.query(`DELETE FROM ${table}`);
  await recordPage({ db: database.db, clock: () => NOW }, '');
});

const verifyNow = async (): Promise<string[]> => {
  const sources = { billing, provider: { url: server.url, key: 'key' }, now: NOW } as unknown as Sources;
  const breaches = [...(await revenueAgrees.find(sources)), ...(await revenueAddsUp.find(sources))];
  return breaches.map(({ detail }) => detail);
};

it('movements that follow from equal records are not a breach', async () => {
  expect(await verifyNow()).toEqual([]);
  const [{ count }] = await database.db.query<[{ count: string }]>(
    'SELECT COUNT(*) AS count FROM revenue_movements',
  );
  expect(Number(count)).toBeGreaterThan(5);
});

it.each([
  ['a missing payment', "DELETE FROM revenue_movements WHERE kind = 'payment' LIMIT 1", 'earnings of'],
  [
    'a fee twice',
    "UPDATE revenue_movements SET amount = amount * 2 WHERE kind = 'fee' LIMIT 1",
    'expenses of',
  ],
  [
    'tax of another month',
    "UPDATE revenue_movements SET moved_at = '2025-01-01' WHERE kind = 'tax'",
    'tax of',
  ],
  ['a sum that lacks a movement', "DELETE FROM revenue_sums WHERE unit = 'day' LIMIT 1", 'is off by'],
  [
    'a sum of another quarter hour',
    "UPDATE revenue_sums SET count = count + 1 WHERE unit = 'quarter' LIMIT 1",
    'by 1 in number',
  ],
])('%s is a breach', async (_, sql, expected) => {
  await database.db.query(sql);
  expect((await verifyNow()).join('\n')).toContain(expected);
});
