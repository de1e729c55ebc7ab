// Adds one breach at a time to the consistent buckets of a user, and expects `verify` to report it by its ids.
import { schema } from '@shortlist/credits/db';
import { openReader, type Reader } from '@shortlist/kit/data/reader';
import { createTestDb, type TestDb } from '@shortlist/kit/testing/databases';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { bucketsHaveSources, ledgerAddsUp } from '../src/verify/ledger.ts';
import type { Sources } from '../src/verify/sources.ts';

const ADA = '01900000-0000-7000-8000-0000000000aa';
const BEA = '01900000-0000-7000-8000-0000000000bb';

/** A pack was bought; three of its credits and one of the plan’s were charged, and one of the pack’s was returned. */
const CONSISTENT_STATE = [
  `INSERT INTO credit_buckets (id, user_id, kind, source_key, plan, credit_limit, used, starts_at, ends_at, version)
     VALUES (7, '${ADA}', 'plan', 'in_1', 'premium', 500, 1, '2026-03-01', '2026-04-01', 0),
       (8, '${ADA}', 'pack', 'pack-1', NULL, 250, 2, '2026-03-01', NULL, 1),
       (9, '${ADA}', 'grant', 'grant-1', NULL, 5, 0, '2026-03-01', '2026-04-01', 0)`,
  `INSERT INTO audit_log (id, at, actor_id, address, action, target_id, after_state)
     VALUES ('${BEA}', '2026-03-01', '${BEA}', '', 'credits.grant', '${ADA}', '{"grant":"grant-1"}')`,
  `INSERT INTO ledger (id, user_id, window_id, operation_id, amount, reason, used_after, buckets_after, created_at)
     VALUES (1, '${ADA}', 7, 'operation-1', -4, 'email_found', 1, 252, '2026-03-02'),
       (2, '${ADA}', 7, 'operation-2', 1, 'unused', 1, 253, '2026-03-02')`,
  `INSERT INTO ledger (id, user_id, window_id, operation_id, amount, added, reason, used_after, created_at)
     VALUES (3, '${ADA}', 0, ' pack_bought:pack-1:1', 0, 250, 'pack_bought', 0, '2026-03-01')`,
  `INSERT INTO ledger_parts (entry_id, position, user_id, bucket_id, amount)
     VALUES (1, 1, '${ADA}', 'pack-1', -3), (2, 1, '${ADA}', 'pack-1', 1)`,
];
const TABLES = ['credit_buckets', 'audit_log', 'ledger', 'ledger_parts'];

let database: TestDb;
let reader: Reader;
beforeAll(async () => {
  database = await createTestDb({ ...schema, poolSize: 1 });
  reader = await openReader(database.url);
});
afterAll(async () => {
  await reader.close();
  await database.drop();
});

const run = async (statements: string[]): Promise<void> => {
  for (const statement of statements) await database.db.query(statement);
};
beforeEach(() => run(CONSISTENT_STATE));
afterEach(() => run(TABLES.map((table) => `DELETE FROM ${table}`)));

const breaches = async (): Promise<string[]> => {
  const sources = { credits: reader } as unknown as Sources; // all that these invariants read
  const found = await Promise.all(
    [ledgerAddsUp, bucketsHaveSources].map((invariant) => invariant.find(sources)),
  );
  return found.flat().map(({ invariant, detail }) => `${invariant} ${detail}`);
};

it('consistent buckets have no breach', async () => {
  expect(await breaches()).toEqual([]);
});

it.each([
  ['V3 bucket 7 has 1 used, its ledger 2', 'UPDATE ledger_parts SET amount = -2 WHERE entry_id = 1'],
  [
    'V3 ledger row 1 states 1 used, the rows up to it 2',
    'UPDATE ledger_parts SET amount = -2 WHERE entry_id = 1',
  ],
  ['V3 bucket 8 has 9 used, its ledger 2', "UPDATE credit_buckets SET used = 9 WHERE kind = 'pack'"],
  [
    'V3 bucket 8 has 2 used and 251 usable of 250',
    "UPDATE credit_buckets SET usable = 251 WHERE kind = 'pack'",
  ],
  [
    'V3 a part of ledger row 1 has no row or no bucket of the same user',
    "UPDATE ledger_parts SET bucket_id = 'in_1' WHERE entry_id = 1",
  ],
  ['V3 ledger row 2 of 1 has parts of 2', 'UPDATE ledger_parts SET amount = 2 WHERE entry_id = 2'],
  [
    'V3 a part of ledger row 2 has no row or no bucket of the same user',
    `UPDATE ledger_parts SET user_id = '${BEA}' WHERE entry_id = 2`,
  ],
  [
    'V3 a part of ledger row 9 has no row or no bucket of the same user',
    'UPDATE ledger_parts SET entry_id = 9 WHERE entry_id = 2',
  ],
  [
    'V2 pack pack-1 is credited to 2 users',
    `INSERT INTO credit_buckets (user_id, source_key, kind, credit_limit, starts_at, version)
       SELECT '${BEA}', source_key, kind, credit_limit, starts_at, version FROM credit_buckets WHERE kind = 'pack'`,
  ],
  ['V2 grant grant-1 is not recorded', 'DELETE FROM audit_log'],
  ['V2 grant grant-1 is not recorded', `UPDATE audit_log SET target_id = '${BEA}'`],
])('%s, after %s', async (breach, statement) => {
  await run([statement]);
  expect(await breaches()).toContain(breach);
});

it('V3 more credits than a bucket has are refused by the database', async () => {
  await expect(run(["UPDATE credit_buckets SET used = 251 WHERE kind = 'pack'"])).rejects.toThrow();
});
