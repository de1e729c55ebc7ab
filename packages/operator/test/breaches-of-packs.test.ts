// Adds one difference at a time between billing's packs, the provider's payments, and the packs in credits.
import { schema as billingSchema } from '@shortlist/billing/db';
import { schema as creditsSchema } from '@shortlist/credits/db';
import { openReader, type Reader } from '@shortlist/kit/data/reader';
import { createTestDb, type TestDb } from '@shortlist/kit/testing/databases';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { packCopiesAreNewest, packsArePaid } from '../src/verify/packs.ts';
import type { Invariant, Sources } from '../src/verify/sources.ts';
import { listOf, type ProviderObjects, startProvider } from './provider-state.ts';

const ADA = '01900000-0000-7000-8000-0000000000aa';
const BEA = '01900000-0000-7000-8000-0000000000bb';
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
let creditsDatabase: TestDb;
let billing: Reader;
let credits: Reader;
let server: Awaited<ReturnType<typeof startProvider>>;
let provider: ProviderObjects;

const verify = async (invariant: Invariant = packsArePaid): Promise<string[]> => {
  const sources = {
    billing,
    credits,
    provider: { url: server.url, key: 'key' },
    now: new Date(),
  } as unknown as Sources; // only what it reads
  return (await invariant.find(sources)).map(({ detail }) => detail);
};
const insertPack = (paidCredits: number): Promise<unknown> =>
  database.db.query(
    "INSERT INTO credit_packs (pack_id, user_id, invoice_id, version, credits, paid_credits, amount, currency, state, paid_at) VALUES (UUID(), ?, 'in_1', 1, 250, ?, 1900, 'usd', 'paid', NOW(3))",
    [ADA, paidCredits],
  );

beforeAll(async () => {
  database = await createTestDb({ ...billingSchema, poolSize: 1 });
  creditsDatabase = await createTestDb({ ...creditsSchema, poolSize: 1 });
  billing = await openReader(database.url);
  credits = await openReader(creditsDatabase.url);
  server = await startProvider((path) => provider[listOf(path)]);
});
afterAll(async () => {
  server.close();
  await billing.close();
  await credits.close();
  await database.drop();
  await creditsDatabase.drop();
});
beforeEach(async () => {
  provider = {
    prices: [],
    subscriptions: [],
    invoices: [INVOICE],
    charges: [CHARGE],
    refunds: [],
    disputes: [],
  };
  for (const table of ['credit_packs', 'subscribers']) await database.db.query(`DELETE FROM ${table}`);
  await database.db.query(
    "INSERT INTO subscribers (user_id, email, name, customer_id) VALUES (?, '', '', 'cus_1')",
    [ADA],
  );
});

describe('V1 the packs of credits', () => {
  it('agree when each has the credits that are paid for', async () => {
    await insertPack(250);
    expect(await verify()).toEqual([]);
    provider['charges'] = [{ ...CHARGE, amount_refunded: 500 }];
    await database.db.query('UPDATE credit_packs SET paid_credits = 184');
    expect(await verify()).toEqual([]);
  });

  it('are missing', async () => {
    expect(await verify()).toEqual(['the pack of in_1 is not recorded']);
  });

  it('are recorded without a payment', async () => {
    await insertPack(250);
    provider['invoices'] = [{ ...INVOICE, status: 'open' }];
    expect(await verify()).toEqual(['the pack of in_1 is recorded and not paid at the provider']);
  });

  it.each(['needs_response', 'under_review', 'lost'])(
    'keep credits although a dispute is %s',
    async (status) => {
      await insertPack(250);
      provider['disputes'] = [{ id: 'du_1', charge: 'ch_1', status }];
      expect(await verify()).toEqual(['the pack of in_1 has 250 of 250 credits, the provider 0 of 250']);
    },
  );

  it('of a deleted user do not count as missing', async () => {
    await database.db.query('UPDATE subscribers SET deleted_at = NOW(3)');
    await database.db.query(
      "INSERT INTO invoices (invoice_id, user_id, status, amount, currency) VALUES ('in_1', ?, 'paid', 1900, 'usd')",
      [ADA],
    );
    expect(await verify()).toEqual([]);
  });
});

describe('V6 the packs that credits has', () => {
  const PACK = '01900000-0000-7000-8000-0000000000cc';
  const named = `pack ${PACK} of ${ADA}`;
  const changeBilling = (sql: string): Promise<unknown> => database.db.query(sql);
  const changeCredits = (sql: string): Promise<unknown> => creditsDatabase.db.query(sql);
  const copies = (): Promise<string[]> => verify(packCopiesAreNewest);

  beforeEach(async () => {
    await insertPack(250);
    await changeBilling(`UPDATE credit_packs SET pack_id = '${PACK}'`);
    await changeCredits('DELETE FROM credit_buckets');
    await changeCredits(
      `INSERT INTO credit_buckets (user_id, source_key, kind, credit_limit, usable, used, starts_at, ends_at, version)
         VALUES ('${ADA}', '${PACK}', 'pack', 250, 250, 7, NOW(3), NULL, 1),
           ('${BEA}', UUID(), 'grant', 5, 5, 0, NOW(3), NOW(3), 0)`,
    );
  });

  it('agree when each is in its newest state, however much of it is used', async () => {
    expect(await copies()).toEqual([]);
    await changeBilling("UPDATE credit_packs SET version = 2, paid_credits = 0, state = 'disputed'");
    await changeCredits("UPDATE credit_buckets SET version = 2, usable = 0 WHERE kind = 'pack'");
    expect(await copies()).toEqual([]);
  });

  it('lack one whose event was lost', async () => {
    await changeCredits("DELETE FROM credit_buckets WHERE kind = 'pack'");
    expect(await copies()).toEqual([`credits has no ${named}`]);
  });

  it('are in an older state when the event about a refund was lost', async () => {
    await changeBilling("UPDATE credit_packs SET version = 2, paid_credits = 0, state = 'refunded'");
    expect(await copies()).toEqual([
      `credits has ${named} in version 1 with 250 of 250 credits, billing version 2 with 0 of 250 credits`,
    ]);
  });

  it.each(['version = 2', 'usable = 249', 'usable = 9, used = 9, credit_limit = 9'])(
    'have another state than billing after %s',
    async (change) => {
      await changeCredits(`UPDATE credit_buckets SET ${change} WHERE kind = 'pack'`);
      expect(await copies()).toEqual([expect.stringContaining(`credits has ${named} in`)]);
    },
  );

  it('have one too many when an event was counted for another user too, or nothing was paid', async () => {
    await changeCredits(
      `INSERT INTO credit_buckets (user_id, source_key, kind, credit_limit, usable, starts_at, version)
         SELECT '${BEA}', source_key, kind, credit_limit, usable, starts_at, version FROM credit_buckets WHERE kind = 'pack'`,
    );
    expect(await copies()).toEqual([`pack ${PACK} of ${BEA} is unknown to billing`]);
    await changeBilling('DELETE FROM credit_packs');
    expect((await copies()).toSorted()).toEqual([
      `${named} is unknown to billing`,
      `pack ${PACK} of ${BEA} is unknown to billing`,
    ]);
  });
});
