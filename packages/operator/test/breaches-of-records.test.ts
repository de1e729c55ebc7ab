// Adds one difference at a time between billing's records of money, or the dashboard's sums, and the provider's.
import { readEarnings } from '@shortlist/billing/earnings/read-earnings';
import { schema } from '@shortlist/billing/db';
import { createTestDb, type TestDb } from '@shortlist/kit/testing/databases';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  consistentProvider,
  consistentRecords,
  listOf,
  type ProviderObjects,
  startProvider,
} from './provider-state.ts';
import { openReader, type Reader } from '@shortlist/kit/data/reader';
import { earningsAgree } from '../src/verify/earnings.ts';
import { recordsAgree } from '../src/verify/records.ts';
import type { Sources } from '../src/verify/sources.ts';

const ADA = '01900000-0000-7000-8000-0000000000aa';
const TABLES = [
  'invoices',
  'refunds',
  'subscriptions',
  'disputes',
  'dispute_transactions',
  'payouts',
  'subscribers',
];

let database: TestDb;
let billing: Reader;
let server: Awaited<ReturnType<typeof startProvider>>;
let provider: ProviderObjects;

const run = async (sql: string): Promise<unknown> => database.db.query(sql.replaceAll('billing.', ''));
const now = new Date('2026-03-20T00:00:00Z');
const earnings = () =>
  readEarnings(database.db.manager, { period: 'year', timeZone: 'UTC', currency: 'usd', now });
const verifyNow = async (planted: Partial<Sources> = {}): Promise<string[]> => {
  const provider = { url: server.url, key: 'key' };
  const sources = { billing, provider, earnings, now, ...planted } as unknown as Sources; // only what these invariants read
  const breaches = [...(await recordsAgree.find(sources)), ...(await earningsAgree.find(sources))];
  return breaches.map(({ invariant, detail }) => `${invariant} ${detail}`);
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

it('equal records are not a breach', async () => {
  expect(await verifyNow()).toEqual([]);
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
  ['invoice in_1 has tax 100, the provider 400', 'UPDATE invoices SET tax = 100'],
  [
    'invoice in_1 has booked_at 1772323200, the provider 1772409600',
    'UPDATE invoices SET booked_at = paid_at',
  ],
  ['invoice in_1 has settlement_amount 1, the provider 5900', 'UPDATE invoices SET settlement_amount = 1'],
  ['refund re_1 is not recorded', 'DELETE FROM refunds'],
  ['refund re_1 has tax 0, the provider 68', 'UPDATE refunds SET tax = 0'],
  ['refund re_1 has failed_at null, the provider 1775088000', 'UPDATE refunds SET failed_at = NULL'],
  [
    'dispute transaction txn_2 has amount 5000, the provider 5900',
    "UPDATE dispute_transactions SET amount = 5000 WHERE transaction_id = 'txn_2'",
  ],
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
  expect(await verifyNow()).toContain(`V1 ${breach}`);
});

const stated = (name: string, value: string, provided: number): string =>
  `V1 the dashboard states ${name} of ${value}, the provider ${provided}`;

it.each([
  [
    'a fee',
    'UPDATE invoices SET fee = 200',
    [
      'V1 invoice in_1 has fee 200, the provider 201',
      stated('expenses', '2632 usd in 2026-03', 2_633),
      stated('expenses', '1700 usd in 2026', 1_701),
    ],
  ],
  [
    'a settlement currency',
    "UPDATE invoices SET settlement_currency = 'eur'",
    [
      'V1 invoice in_1 has settlement_currency eur, the provider usd',
      stated('expenses', '2432 usd in 2026-03', 2_633),
      stated('expenses', '1500 usd in 2026', 1_701),
      stated('expenses', '201 eur in 2026', 0),
    ],
  ],
  [
    'the amount of a refund',
    'UPDATE refunds SET amount = 1100',
    [
      'V1 refund re_1 has amount 1100, the provider 1000',
      stated('expenses', '2733 usd in 2026-03', 2_633),
      stated('expenses', '-1032 usd in 2026-04', -932),
    ],
  ],
  [
    'the month of a refund',
    "UPDATE refunds SET created_at = '2026-02-10'",
    [
      'V1 refund re_1 has created_at 1770681600, the provider 1773100800',
      stated('expenses', '932 usd in 2026-02', 0),
      stated('tax', '-68 usd in 2026-02', 0),
      stated('expenses', '1701 usd in 2026-03', 2_633),
      stated('tax', '400 usd in 2026-03', 332),
    ],
  ],
  [
    'the currency of a dispute transaction',
    "UPDATE dispute_transactions SET currency = 'eur' WHERE transaction_id = 'txn_2'",
    [
      'V1 dispute transaction txn_2 has currency eur, the provider usd',
      stated('expenses', '-4767 usd in 2026-03', 2_633),
      stated('expenses', '-5699 usd in 2026', 1_701),
      stated('expenses', '7400 eur in 2026', 0),
    ],
  ],
  [
    'the time of a dispute transaction',
    "UPDATE dispute_transactions SET created_at = '2026-04-06' WHERE transaction_id = 'txn_3'",
    [
      'V1 dispute transaction txn_3 has created_at 1775433600, the provider 1772755200',
      stated('expenses', '8533 usd in 2026-03', 2_633),
      stated('expenses', '-6832 usd in 2026-04', -932),
    ],
  ],
  [
    'the tax of an invoice',
    'UPDATE invoices SET tax = 300',
    [
      'V1 invoice in_1 has tax 300, the provider 400',
      stated('earnings', '5600 usd in 2026-03', 5_500),
      stated('tax', '232 usd in 2026-03', 332),
      stated('earnings', '5600 usd in 2026', 5_500),
      stated('tax', '300 usd in 2026', 400),
    ],
  ],
])('reports %s and each sum that it makes wrong', async (_, statement, breaches) => {
  await run(statement);
  expect(await verifyNow()).toEqual(breaches);
});

it('reports a sum that the dashboard shows wrongly although every record is right', async () => {
  const view = await earnings();
  const buckets = view.buckets.with(2, {
    start: '2026-03-01T00:00:00.000Z',
    earnings: 5_501,
    expenses: 0,
    tax: 332,
  });
  expect(await verifyNow({ earnings: () => Promise.resolve({ ...view, buckets }) })).toEqual([
    stated('earnings', '5501 usd in 2026-03', 5_500),
    stated('expenses', '0 usd in 2026-03', 2_633),
  ]);
  const totals = { ...view, tax: 1, others: [{ currency: 'eur', earnings: 7, expenses: 0, tax: 0 }] };
  expect(await verifyNow({ earnings: () => Promise.resolve(totals) })).toEqual([
    stated('tax', '1 usd in 2026', 400),
    stated('earnings', '7 eur in 2026', 0),
  ]);
});

it('an invoice whose payment has not reached the balance has an unknown fee', async () => {
  for (const charge of provider['charges'] ?? []) charge['balance_transaction'] = null;
  expect(await verifyNow()).toContain('V1 invoice in_1 has fee 201, the provider null');
  await run(
    'UPDATE invoices SET fee = NULL, settlement_currency = NULL, settlement_amount = NULL, booked_at = paid_at',
  );
  expect(await verifyNow()).toEqual([]);
});

it('subscriptions of other customers and other products are not a breach', async () => {
  const [ours] = provider['subscriptions'] ?? [];
  const other = { unit_amount: 100, currency: 'usd', lookup_key: 'other', metadata: {} };
  provider['subscriptions']?.push(
    { ...ours, id: 'sub_8', customer: 'cus_other' },
    { ...ours, id: 'sub_9', items: { data: [{ price: other }] } },
  );
  expect(await verifyNow()).toEqual([]);
});

it('the invoice of a trial that our checkout promised must be recorded, and no other of a trial', async () => {
  const [invoice] = provider['invoices'] ?? [];
  const trialOf = (id: string, promised: string, reason = 'subscription_create') => {
    const period = { start: Date.parse('2026-03-01') / 1_000, end: Date.parse('2026-03-15') / 1_000 };
    const line = { pricing: { price_details: { price: 'price_1' } }, subtotal: 0, period };
    const parent = { subscription_details: { subscription: 'sub_1', metadata: { trial: promised } } };
    const nothing = { subtotal: 0, total: 0, amount_paid: 0, amount_due: 0, total_taxes: [] };
    const lists = { lines: { data: [line] }, payments: { data: [] } };
    return { ...invoice, ...nothing, ...lists, id, billing_reason: reason, parent };
  };
  provider['invoices']?.push(
    trialOf('in_unmarked', ''),
    trialOf('in_longer', '7'),
    trialOf('in_extended', '14', 'subscription_update'),
  );
  expect(await verifyNow()).toEqual([]);
  provider['invoices']?.push(trialOf('in_trial', '14'));
  expect(await verifyNow()).toEqual(['V1 invoice in_trial is not recorded']);
});
