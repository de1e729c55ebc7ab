// Plants one difference at a time between billing's packs of credits and what is paid for at the provider.
import { schema } from '@shortlist/billing/db';
import { openReader, type Reader } from '@shortlist/kit/data/reader';
import { createTestDb, type TestDb } from '@shortlist/kit/testing/databases';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { packsArePaid } from '../src/audit/packs.ts';
import type { Sources } from '../src/audit/sources.ts';
import { listOf, type ProviderObjects, startProvider } from './planted-provider.ts';

const ADA = '01900000-0000-7000-8000-0000000000aa';
const INVOICE = {
  id: 'in_1',
  customer: 'cus_1',
  status: 'paid',
  amount_paid: 1_900,
  metadata: { pack: 'shortlist_credit_pack', credits: '250' },
  parent: null,
  lines: { data: [{ subtotal: 1_900, period: { start: 0, end: 0 } }] },
  payments: { data: [{ payment: { payment_intent: 'pi_1' } }] },
};
const CHARGE = {
  id: 'ch_1',
  payment_intent: 'pi_1',
  paid: true,
  amount_refunded: 0,
  balance_transaction: null,
};

let database: TestDb;
let billing: Reader;
let server: Awaited<ReturnType<typeof startProvider>>;
let provider: ProviderObjects;

const audit = async (): Promise<string[]> => {
  const sources = {
    billing,
    provider: { url: server.url, key: 'key' },
    now: new Date(),
  } as unknown as Sources; // only what it reads
  return (await packsArePaid.find(sources)).map(({ detail }) => detail);
};
const insertPack = (paidCredits: number): Promise<unknown> =>
  database.db.query(
    "INSERT INTO credit_packs (pack_id, user_id, invoice_id, version, credits, paid_credits, amount, currency, state, paid_at) VALUES (UUID(), ?, 'in_1', 1, 250, ?, 1900, 'usd', 'paid', NOW(3))",
    [ADA, paidCredits],
  );

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
  provider = { subscriptions: [], invoices: [INVOICE], charges: [CHARGE], refunds: [], disputes: [] };
  for (const table of ['credit_packs', 'subscribers']) await database.db.query(`DELETE FROM ${table}`);
  await database.db.query(
    "INSERT INTO subscribers (user_id, email, name, customer_id) VALUES (?, '', '', 'cus_1')",
    [ADA],
  );
});

describe('V1 the packs of credits', () => {
  it('agree when each has what is paid for', async () => {
    await insertPack(250);
    expect(await audit()).toEqual([]);
    provider['charges'] = [{ ...CHARGE, amount_refunded: 500 }];
    await database.db.query('UPDATE credit_packs SET paid_credits = 184');
    expect(await audit()).toEqual([]);
  });

  it('are missing', async () => {
    expect(await audit()).toEqual(['the pack of in_1 is not recorded']);
  });

  it('are recorded without a payment', async () => {
    await insertPack(250);
    provider['invoices'] = [{ ...INVOICE, status: 'open' }];
    expect(await audit()).toEqual(['the pack of in_1 is recorded and not paid at the provider']);
  });

  it.each(['needs_response', 'under_review', 'lost'])(
    'keep credits although a dispute is %s',
    async (status) => {
      await insertPack(250);
      provider['disputes'] = [{ id: 'du_1', charge: 'ch_1', status }];
      expect(await audit()).toEqual(['the pack of in_1 has 250 of 250 credits, the provider 0 of 250']);
    },
  );

  it('of a deleted user are not missed', async () => {
    await database.db.query('UPDATE subscribers SET deleted_at = NOW(3)');
    await database.db.query(
      "INSERT INTO invoices (invoice_id, user_id, status, amount, currency) VALUES ('in_1', ?, 'paid', 1900, 'usd')",
      [ADA],
    );
    expect(await audit()).toEqual([]);
  });
});
