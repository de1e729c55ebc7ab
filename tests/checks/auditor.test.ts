// An auditor that cannot find anything proves nothing: each breach is planted here, beside what is in order.
import type { Connection } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mailsWentOnce } from '../../tools/audit/mails.ts';
import { oneWindowForEachInvoice, premiumIsPaidOrGranted } from '../../tools/audit/plans.ts';
import { providerAgrees } from '../../tools/audit/provider.ts';
import type { Sources } from '../../tools/audit/sources.ts';

const now = new Date('2026-03-10T00:00:00Z');
const cover = (key: string, { end = '2026-04-01T00:00:00Z', graceUntil = null as string | null } = {}) =>
  JSON.stringify({ key, start: '2026-03-01T00:00:00Z', end, graceUntil });

type Person = { paid?: string | null; granted?: string | null; customerId?: string | null };
const person = ({ paid = null, granted = null, customerId = null }: Person) => ({
  ...{ userId: 'u1', version: 3, paid, granted, customerId, deletedAt: null },
});

/** Answers a query by the first table it names. */
const database = (tables: Record<string, unknown[]>): Connection =>
  ({
    query: (sql: string) => {
      const name = Object.keys(tables).find((table) => sql.includes(table));
      return Promise.resolve([name === undefined ? [] : tables[name]]);
    },
  }) as unknown as Connection; // the one method that the auditor calls

const sources = (tables: Record<string, unknown[]>, sandboxUrl = ''): Sources =>
  ({ db: database(tables), now, sandboxUrl, stripeKey: 'key' }) as unknown as Sources; // without topics and sessions

const invoice = { id: 'in_1', userId: 'u1', paidAt: new Date('2026-03-01T00:00:00Z') };
const grant = (key: string) => ({ userId: 'u1', after: JSON.stringify({ granted: { key } }) });

describe('V1 premium', () => {
  const find = async (one: Person, more: { invoices?: object[]; grants?: object[] } = {}): Promise<number> =>
    (
      await premiumIsPaidOrGranted(
        sources({
          'billing.invoices': more.invoices ?? [],
          'billing.audit_log': more.grants ?? [],
          'billing.subscribers': [person(one)],
        }),
      )
    ).length;

  test('on an own paid invoice or a noted grant is in order', async () => {
    expect(await find({ paid: cover('in_1') }, { invoices: [invoice] })).toBe(0);
    expect(await find({ granted: cover('grant:1') }, { grants: [grant('grant:1')] })).toBe(0);
    expect(await find({ paid: cover('in_old', { end: '2026-03-02T00:00:00Z' }) })).toBe(0);
  });

  test.each([
    ['an invoice that nobody knows', { paid: cover('in_x') }, { invoices: [invoice] }],
    ['an invoice of somebody else', { paid: cover('in_1') }, { invoices: [{ ...invoice, userId: 'u2' }] }],
    [
      'an invoice for years',
      { paid: cover('in_1', { end: '2036-04-01T00:00:00Z' }) },
      { invoices: [invoice] },
    ],
    ['a grant that nobody noted', { granted: cover('grant:2') }, { grants: [grant('grant:1')] }],
    [
      'an invoice that nobody knows, beside a grant that has run out',
      { paid: cover('in_x'), granted: cover('grant:1', { end: '2024-01-01T00:00:00Z' }) },
      { grants: [grant('grant:1')] },
    ],
  ])('on %s is a breach', async (_what, one, more) => {
    expect(await find(one, more)).toBe(1);
  });
});

test('V2 a window that was opened by a grant nobody noted is a breach', async () => {
  const windows = [{ id: 1, userId: 'u1', source: 'grant:2' }];
  const tables = { 'FROM credits.windows WHERE plan': windows, 'billing.audit_log': [grant('grant:1')] };
  const found = await oneWindowForEachInvoice(sources(tables));
  expect(found.map(({ what }) => what)).toContain('window 1 was opened by grant:2, which nobody noted');
});

describe('of the provider and of mails', () => {
  let server: Server;
  let answer: object = {};
  let url = '';
  beforeAll(async () => {
    server = createServer((_request, response) => response.end(JSON.stringify(answer)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());

  const one = person({
    paid: cover('in_1', { graceUntil: '2026-04-08T00:00:00Z' }),
    customerId: 'cus_1',
  });
  const agree = async (subscribers: object[]): Promise<number> =>
    (await providerAgrees(sources({ 'billing.subscribers': subscribers }, url))).length;

  test('V1 whoever is charged is premium, and whoever is to be charged has a subscription', async () => {
    answer = { data: [{ id: 'sub_1', customer: 'cus_1', status: 'active' }], has_more: false };
    expect(await agree([one])).toBe(0);
    expect(await agree([])).toBe(1);
    expect(await agree([{ ...one, deletedAt: now }])).toBe(1);
    answer = { data: [{ id: 'sub_1', customer: 'cus_1', status: 'canceled' }], has_more: false };
    expect(await agree([one])).toBe(1);
  });

  test('V8 a mail without a row that goes out three times is a breach', async () => {
    const sent = (times: number) => ({
      data: Array.from({ length: times }, () => ({ customArgs: { mail_id: 'm1' } })),
    });
    answer = sent(3);
    expect(await mailsWentOnce(sources({}, url))).toHaveLength(1);
    answer = sent(2);
    expect(await mailsWentOnce(sources({}, url))).toHaveLength(0);
  });
});
