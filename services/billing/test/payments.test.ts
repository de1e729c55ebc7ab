import { type PaymentFilters, paymentEndpoints, type PaymentRow } from '@shortlist/contracts/api/payments';
import { days, hours } from '@shortlist/contracts/durations';
import { PAYMENTS_PAGE } from '@shortlist/contracts/limits';
import { cursorOf } from '@shortlist/kit/data/newest-first';
import { countRowsRead, countStatements } from '@shortlist/kit/testing/databases';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listPayments } from '../src/payments/payment-queries.ts';
import { findInvoice } from '../src/records/invoice-queries.ts';
import { packsIn } from './pack-support.ts';
import { type Billing, codeOf, LATER_BAD_CARD, openBilling, START, times } from './support.ts';

let billing: Billing;
beforeAll(async () => {
  billing = await openBilling();
});
afterAll(() => billing.close());

const listed = async (filters: PaymentFilters & { cursor?: string } = {}) =>
  billing.call(paymentEndpoints.listPayments, filters, billing.asAdmin);
const idsOf = ({ data }: { data: PaymentRow[] }): string[] => data.map(({ invoiceId }) => invoiceId);
const found = async (filters: PaymentFilters): Promise<string[]> => idsOf(await listed(filters));
const totals = async (filters: PaymentFilters = {}) =>
  (await billing.call(paymentEndpoints.sumPayments, filters, billing.asAdmin)).data;
/** Some days after the first of January 2010. */
const onDay = (day: number): string => new Date(Date.parse('2010-01-01') + days(day)).toISOString();
const dispute = (invoice: string) => billing.sandbox.control('POST', `/invoices/${invoice}/dispute`);

describe('the payments of all users', () => {
  it('are listed with their user, subject, state, amounts and fee, the newest first', async () => {
    const plain = await billing.subscribe();
    await billing.advance(hours(1));
    const refunded = await billing.subscribe();
    await billing.advance(hours(1));
    const pack = await packsIn(billing).buyPack();
    const disputed = await billing.subscribe();
    await packsIn(billing).refund(refunded.invoice, 2_000);
    await packsIn(billing).refund(pack.invoice);
    await dispute(disputed.invoice);
    await billing.reconcile();
    await billing.retryInbox();
    const { data } = await listed();
    const row = (invoice: string) => data.find(({ invoiceId }) => invoiceId === invoice);
    expect(row(plain.invoice)).toMatchObject({
      user: { id: plain.userId, name: 'Ada Lovelace', email: `${plain.userId}@people.test` },
      number: expect.stringMatching(/^\w+-\d+$/) as string,
      credits: null,
      state: 'paid',
      date: START.toISOString(),
      amount: 5_900,
      currency: 'usd',
      tax: 0,
      discount: 0,
      fee: { amount: 201, currency: 'usd' },
      refunded: 0,
      dispute: null,
    });
    expect(row(refunded.invoice)).toMatchObject({ state: 'partly_refunded', refunded: 2_000 });
    expect(row(pack.invoice)).toMatchObject({ state: 'refunded', refunded: 1_900, credits: 250 });
    expect(row(disputed.invoice)).toMatchObject({
      state: 'disputed',
      dispute: { status: 'needs_response', evidenceDueAt: expect.any(String) as string },
    });
    expect(data.map(({ date }) => date)).toEqual(
      data
        .map(({ date }) => date)
        .toSorted()
        .toReversed(),
    );
    expect(await found({ state: 'partly_refunded' })).toEqual([refunded.invoice]);
    expect(await found({ state: 'disputed' })).toEqual([disputed.invoice]);
    expect(await found({ for: 'pack' })).toEqual([pack.invoice]);
    expect(await found({ for: 'plan', state: 'refunded' })).toEqual([]);
    const second = new Date(START.getTime() + hours(1)).toISOString();
    expect(await found({ to: second })).toEqual([plain.invoice]);
    expect(await found({ from: second, state: 'partly_refunded' })).toEqual([refunded.invoice]);
  });

  it('are found by each identifier of theirs, and by users', async () => {
    const { userId, subscription, invoice } = await billing.subscribe();
    const { customerId } = (await billing.read(userId)).data;
    const row = await findInvoice(billing.db.manager, invoice);
    const references = [invoice, subscription, customerId, row?.number, row?.chargeId, row?.paymentIntentId];
    for (const reference of references) {
      expect(await found({ search: reference ?? '?' }), reference ?? '').toEqual([invoice]);
      expect(await found({ search: (reference ?? '').slice(0, -1) })).toEqual([]);
    }
    expect(await found({ search: (row?.number ?? '').toLowerCase() })).toEqual([invoice]);
    expect(await found({ users: `${uuidv7()},${userId}` })).toEqual([invoice]);
    expect(await found({ users: uuidv7() })).toEqual([]);
  });

  it('name no deleted user, and keep the amounts', async () => {
    const { userId, invoice } = await billing.subscribe();
    await billing.remove(userId);
    const [payment] = (await listed({ search: invoice })).data;
    expect(payment).toMatchObject({ user: { id: userId, name: '', email: '' }, amount: 5_900 });
  });

  it('that could not be collected say how often it was tried, and cost no fee', async () => {
    const { userId } = await billing.subscribe(undefined, LATER_BAD_CARD);
    await billing.advance(days(31) + hours(1));
    await billing.reconcile();
    expect((await listed({ users: userId, state: 'past_due' })).data).toMatchObject([
      { attempts: 1, fee: null, refunded: 0 },
    ]);
  });

  it('are for admins', async () => {
    const call = billing.call(paymentEndpoints.listPayments, {}, billing.asUser(uuidv7()));
    expect(await call.catch(codeOf)).toBe('session.forbidden');
  });
});

type Stored = {
  id: string;
  status?: string;
  amount?: number;
  currency?: string;
  fee?: number | null;
  settled?: string | null;
  refunded?: number;
  paidAt?: Date | null;
};

const store = async ({ id, status = 'paid', amount = 5_900, currency = 'usd', ...more }: Stored) => {
  const { fee = null, settled = null, refunded = 0, paidAt = START } = more;
  await billing.db.query(
    `INSERT INTO invoices (invoice_id, user_id, status, amount, currency, fee, settlement_currency, refunded, paid_at, period_start)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [id, uuidv7(), status, amount, currency, fee, settled, refunded, paidAt, START],
  );
};

describe('a list of many payments', () => {
  beforeEach(() => billing.db.query('DELETE FROM invoices'));

  it('has pages without gaps or repetitions, also among payments of one instant', async () => {
    const count = 2 * PAYMENTS_PAGE + 3;
    for (const index of times(count)) {
      const at = new Date(START.getTime() + Math.floor(index / 4) * 1_000);
      await store({ id: `in_${index}`, paidAt: at });
    }
    const all: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await listed(cursor === undefined ? {} : { cursor });
      expect(page.data.length).toBeLessThanOrEqual(PAYMENTS_PAGE);
      all.push(...idsOf(page));
      // A payment that arrives meanwhile moves nothing.
      await store({ id: `in_new_${all.length}`, paidAt: new Date(START.getTime() + days(1)) });
      cursor = page.next ?? undefined;
    } while (cursor !== undefined);
    expect(all).toHaveLength(count);
    expect(new Set(all).size).toBe(count);
  });

  it('has a last page that says so', async () => {
    for (const index of times(PAYMENTS_PAGE)) await store({ id: `in_${index}` });
    expect(await listed()).toMatchObject({ next: null });
  });

  it('J4 takes two statements for a page, one for its sums', async () => {
    for (const index of times(PAYMENTS_PAGE + 1)) await store({ id: `in_${index}` });
    expect(await countStatements(billing.db, () => listed())).toBe(2);
    expect(await countStatements(billing.db, () => totals())).toBe(1);
  });

  it.each<[string, PaymentFilters & { cursor?: string }]>([
    ['until long ago', { to: onDay(2_500) }],
    ['that were paid, until long ago', { state: 'paid', to: onDay(2_500) }],
    ['that were paid, after a page', { state: 'paid', cursor: cursorOf({ at: onDay(2_500), id: 'in_' }) }],
    ['for the plan, until long ago', { for: 'plan', to: onDay(2_500) }],
  ])('lists those %s without reading what is newer', async (_what, filters) => {
    const { db } = billing;
    const rows = times(4_000).map((day) => [
      `in_${day}`,
      uuidv7(),
      'paid',
      5_900,
      'usd',
      new Date(onDay(day)),
    ]);
    await db.query('INSERT INTO invoices (invoice_id, user_id, status, amount, currency, paid_at) VALUES ?', [
      rows,
    ]);
    await db.query('ANALYZE TABLE invoices');
    const { result, rowsRead } = await countRowsRead(db, (tx) => listPayments(tx, filters, 10));
    expect(result.data.map(({ invoiceId }) => invoiceId)).toEqual(
      times(10).map((index) => `in_${2_499 - index}`),
    );
    expect(rowsRead).toBeLessThan(150);
  });

  it('dates a payment that was not made by the start of its period, and moves it when it is paid', async () => {
    await store({ id: 'in_1', status: 'open', paidAt: null });
    expect((await listed()).data).toMatchObject([{ date: START.toISOString() }]);
    const later = new Date(START.getTime() + days(2));
    await billing.db.query("UPDATE invoices SET status = 'paid', paid_at = ?", [later]);
    expect((await listed()).data).toMatchObject([{ date: later.toISOString() }]);
  });

  it('refuses a cursor that is none, and a state that is none', async () => {
    for (const filters of [{ cursor: "1'" }, { state: 'lost' as 'paid' }, { from: 'yesterday' }])
      expect(await listed(filters).catch(codeOf)).toBe('request.invalid');
  });
});

describe('the sums of payments', () => {
  beforeEach(() => billing.db.query('DELETE FROM invoices'));

  it('are those of the filter, and never of several currencies', async () => {
    await store({ id: 'in_1', fee: 201, settled: 'usd', refunded: 900 });
    await store({ id: 'in_2', fee: null });
    await store({ id: 'in_3', status: 'open', paidAt: null });
    await store({ id: 'in_4', amount: 5_400, currency: 'eur', fee: 190, settled: 'usd' });
    const zero = { returned: 0, fees: 0, unknownFees: 0 };
    expect(await totals()).toEqual([
      { ...zero, currency: 'eur', count: 1, collected: 5_400, net: 5_400 },
      {
        currency: 'usd',
        count: 3,
        collected: 11_800,
        returned: 900,
        fees: 391,
        net: 11_800 - 900 - 391,
        unknownFees: 1,
      },
    ]);
    expect(await totals({ state: 'partly_refunded' })).toEqual([
      { currency: 'usd', count: 1, collected: 5_900, returned: 900, fees: 201, net: 4_799, unknownFees: 0 },
    ]);
    expect(await totals({ search: 'in_none' })).toEqual([]);
  });

  it('count what a dispute withdrew as returned, with its fee', async () => {
    const { invoice } = await billing.subscribe();
    await dispute(invoice);
    await billing.reconcile();
    await billing.retryInbox();
    expect(await totals({ search: invoice })).toMatchObject([
      { collected: 5_900, returned: 5_900, fees: 201 + 1_500, net: -201 - 1_500 },
    ]);
  });
});

describe('the export of payments', () => {
  beforeEach(() => billing.db.query('DELETE FROM invoices'));

  const download = async (query = ''): Promise<string> => {
    const token = await billing.sign('billing', billing.asAdmin.caller);
    const response = await fetch(`${billing.url}${paymentEndpoints.exportPayments.path}${query}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(response.status).toBe(200);
    return response.text();
  };

  it('has all that the filter finds in whole units, no formula, and leaves a record without the search', async () => {
    const { userId, invoice } = await billing.subscribe();
    await billing.db.query('UPDATE subscribers SET name = ? WHERE user_id = ?', ['=HYPERLINK("x")', userId]);
    await store({ id: 'in_yen', currency: 'jpy', amount: 5_000, status: 'open', paidAt: null });
    const [head, ...lines] = (await download()).trim().split('\r\n');
    expect(head).toMatch(/^\uFEFF?Time \(UTC\),Name,Email,/);
    expect(lines).toHaveLength(2);
    const line = lines.find((one) => one.includes(invoice)) ?? '';
    expect(line).toContain(`"'=HYPERLINK(""x"")",${userId}@people.test`);
    expect(line).toContain(',USD,59,0,0,0,2.01,USD,');
    expect(lines.find((one) => one.includes('in_yen'))).toContain(',JPY,5000,0,0,0,,,');
    expect(await download(`?search=${invoice}&state=paid`)).not.toContain('in_yen');
    const records: { after_state: string }[] = await billing.db.query(
      "SELECT after_state FROM audit_log WHERE action = 'payments.export' ORDER BY id",
    );
    expect(records.map(({ after_state: after }) => JSON.parse(after) as object)).toEqual([
      {},
      { state: 'paid', isSearch: true },
    ]);
  });
});
