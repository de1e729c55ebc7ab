// Plants one difference at a time between billing's records of money and the provider's.
import { schema } from '@shortlist/billing/db';
import { createTestDb, type TestDb } from '@shortlist/kit/testing/databases';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  consistentProvider,
  consistentRecords,
  listOf,
  type ProviderObjects,
  startProvider,
} from './planted-provider.ts';
import { openReader, type Reader } from '@shortlist/kit/data/reader';
import { recordsAgree } from '../src/audit/records.ts';
import type { Sources } from '../src/audit/sources.ts';

const ADA = '01900000-0000-7000-8000-0000000000aa';
const TABLES = ['invoices', 'subscriptions', 'disputes', 'dispute_transactions', 'payouts', 'subscribers'];

let database: TestDb;
let billing: Reader;
let server: Awaited<ReturnType<typeof startProvider>>;
let provider: ProviderObjects;

const run = async (sql: string): Promise<unknown> => database.db.query(sql.replaceAll('billing.', ''));
const auditNow = async (): Promise<string[]> => {
  const provider = { url: server.url, key: 'key' };
  const sources = { billing, provider, now: new Date() } as unknown as Sources; // only what the invariant reads
  return (await recordsAgree.find(sources)).map(({ invariant, detail }) => `${invariant} ${detail}`);
};

beforeAll(async () => {
  database = await createTestDb({ ...schema, poolSize: 1 });
  billing = await openReader(database.url);
  server = await startProvider((path) => provider[listOf(path)]);
});
afterAll(async () => {
  server.close();
  await billing.close();
  await database.drop();
});
beforeEach(async () => {
  provider = consistentProvider();
  for (const table of TABLES) await run(`DELETE FROM ${table}`);
  await run(
    `INSERT INTO billing.subscribers (user_id, email, name, customer_id) VALUES ('${ADA}', '', '', 'cus_1')`,
  );
  for (const statement of consistentRecords(ADA)) await run(statement);
});

it('equal records are no breach', async () => {
  expect(await auditNow()).toEqual([]);
});

it.each([
  ['subscription sub_1 is not recorded', 'DELETE FROM subscriptions'],
  [
    'subscription sub_1 has status past_due, the provider active',
    "UPDATE subscriptions SET status = 'past_due'",
  ],
  ['subscription sub_1 has price_amount 1, the provider 5900', 'UPDATE subscriptions SET price_amount = 1'],
  [
    'subscription sub_1 has cancel_reason payment_failed, the provider null',
    "UPDATE subscriptions SET cancel_reason = 'payment_failed'",
  ],
  ['invoice in_1 is not recorded', 'DELETE FROM invoices'],
  ['invoice in_1 has number null, the provider A-1', 'UPDATE invoices SET number = NULL'],
  ['invoice in_1 has total 5800, the provider 5900', 'UPDATE invoices SET total = 5800'],
  ['invoice in_1 has tax 100, the provider 0', 'UPDATE invoices SET tax = 100'],
  ['invoice in_1 has fee null, the provider 201', 'UPDATE invoices SET fee = NULL'],
  [
    'invoice in_1 has settlement_currency eur, the provider usd',
    "UPDATE invoices SET settlement_currency = 'eur'",
  ],
  ['invoice in_1 has refunded 100, the provider 0', 'UPDATE invoices SET refunded = 100'],
  ['invoice in_1 has status void, the provider paid', "UPDATE invoices SET status = 'void'"],
  ['invoice in_1 has period_end null, the provider 1775001600', 'UPDATE invoices SET period_end = NULL'],
  [
    'invoice in_9 is recorded and unknown to the provider',
    `INSERT INTO invoices (invoice_id, user_id, status, amount, currency) VALUES ('in_9', '${ADA}', 'open', 1, 'usd')`,
  ],
  ['dispute du_1 is not recorded', 'DELETE FROM disputes'],
  ['dispute du_1 has status lost, the provider won', "UPDATE disputes SET status = 'lost'"],
  [
    'dispute du_1 has withdrawn 5900, the provider 0',
    "DELETE FROM dispute_transactions WHERE transaction_id = 'txn_3'",
  ],
  ['dispute du_1 has fees 0, the provider 1500', 'UPDATE dispute_transactions SET fee = 0'],
  ['payout po_1 is not recorded', 'DELETE FROM payouts'],
  ['payout po_1 has status failed, the provider paid', "UPDATE payouts SET status = 'failed'"],
  [
    'payout po_9 is recorded and unknown to the provider',
    `INSERT INTO payouts (payout_id, amount, currency, status, arrival_at, created_at)
     VALUES ('po_9', 1, 'usd', 'paid', '2026-03-08', '2026-03-06')`,
  ],
])('reports: %s', async (breach, statement) => {
  await run(statement);
  expect(await auditNow()).toContain(`V1 ${breach}`);
});

it('an invoice whose payment has not reached the balance has an unknown fee', async () => {
  for (const charge of provider['charges'] ?? []) charge['balance_transaction'] = null;
  expect(await auditNow()).toContain('V1 invoice in_1 has fee 201, the provider null');
  await run('UPDATE invoices SET fee = NULL, settlement_currency = NULL');
  expect(await auditNow()).toEqual([]);
});

it('subscriptions of other customers and other products are no breach', async () => {
  const [ours] = provider['subscriptions'] ?? [];
  const other = { unit_amount: 100, currency: 'usd', lookup_key: 'other', metadata: {} };
  provider['subscriptions']?.push(
    { ...ours, id: 'sub_8', customer: 'cus_other' },
    { ...ours, id: 'sub_9', items: { data: [{ price: other }] } },
  );
  expect(await auditNow()).toEqual([]);
});
