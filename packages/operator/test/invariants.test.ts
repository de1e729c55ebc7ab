// Each breach is added to a consistent state, because a checker that reports nothing proves nothing.
import type { Reader } from '@shortlist/kit/data/reader';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mailsWentOnce } from '../src/verify/mails.ts';
import { oneBucketForEachInvoice, premiumIsPaidOrGranted } from '../src/verify/plans.ts';
import { providerAgrees } from '../src/verify/provider.ts';
import type { Sources } from '../src/verify/sources.ts';

const now = new Date('2026-03-10T00:00:00Z');
const START = '2026-03-01T00:00:00Z';
type Period = { start?: string; end?: string; graceUntil?: string | null; months?: number };
const cover = (key: string, period: Period = {}) =>
  JSON.stringify({ key, start: START, end: '2026-04-01T00:00:00Z', graceUntil: null, ...period });

type PlanOwner = { paid?: string | null; granted?: string | null; customerId?: string | null };
const subscriberWith = ({ paid = null, granted = null, customerId = null }: PlanOwner) => ({
  userId: 'u1',
  version: 3,
  paid,
  granted,
  customerId,
  deletedAt: null,
});

/** A database that returns the rows of the first of `tables` that a query names. */
const database = (tables: Record<string, unknown[]>): Reader => ({
  select: <Row>(sql: string) => {
    const name = Object.keys(tables).find((table) => sql.includes(`FROM ${table}`));
    return Promise.resolve(name === undefined ? [] : (tables[name] as Row[]));
  },
  stream: () => {
    throw new Error('no invariant of these tests streams');
  },
  close: () => Promise.resolve(),
});

const sources = (tables: Record<string, unknown[]>, url = ''): Sources => {
  const db = database(tables);
  const provider = { url, key: 'key' };
  return { billing: db, credits: db, worker: db, provider, sandbox: url, now } as unknown as Sources; // without topics and sessions
};

const [start, end] = [new Date('2026-03-01T00:00:00Z'), new Date('2026-04-01T00:00:00Z')];
const invoice = { id: 'in_1', userId: 'u1', paidAt: start, start, end };
const year = { ...invoice, end: new Date('2027-03-01T00:00:00Z') };
const grant = (key: string, period: Period = {}) => ({
  userId: 'u1',
  after: `{"version":1,"paid":null,"granted":${cover(key, period)}}`,
});
/** Until 5 July: five months, of which the last is cut. */
const LONG = { end: '2026-07-05T12:00:00Z', months: 5 };

describe('V1 premium', () => {
  const countBreaches = async (
    owner: PlanOwner,
    rows: { invoices?: object[]; grants?: object[] } = {},
  ): Promise<number> =>
    (
      await premiumIsPaidOrGranted.find(
        sources({
          invoices: rows.invoices ?? [],
          audit_log: rows.grants ?? [],
          subscribers: [subscriberWith(owner)],
        }),
      )
    ).length;

  test('from a paid invoice of the user or a recorded grant is not a breach', async () => {
    expect(await countBreaches({ paid: cover('in_1') }, { invoices: [invoice] })).toBe(0);
    const paidYear = cover('in_1', { end: '2027-03-01T00:00:00Z' });
    expect(await countBreaches({ paid: paidYear }, { invoices: [year] })).toBe(0);
    expect(await countBreaches({ granted: cover('grant:1') }, { grants: [grant('grant:1')] })).toBe(0);
    const long = { grants: [grant('grant:0'), grant('grant:1', LONG)] };
    expect(await countBreaches({ granted: cover('grant:1', LONG) }, long)).toBe(0);
    const endedEarly = { ...LONG, end: '2026-06-01T00:00:00Z' };
    expect(await countBreaches({ granted: cover('grant:1', endedEarly) }, long)).toBe(0);
    expect(await countBreaches({ paid: cover('in_old', { end: '2026-03-02T00:00:00Z' }) })).toBe(0);
  });

  test.each([
    ['an unknown invoice', { paid: cover('in_x') }, { invoices: [invoice] }],
    ['an invoice of another user', { paid: cover('in_1') }, { invoices: [{ ...invoice, userId: 'u2' }] }],
    [
      'an invoice for a month that lasts a year',
      { paid: cover('in_1', { end: '2027-03-01T00:00:00Z' }) },
      { invoices: [invoice] },
    ],
    [
      'an invoice for years',
      { paid: cover('in_1', { end: '2036-04-01T00:00:00Z' }) },
      { invoices: [invoice] },
    ],
    ['a grant that is not recorded', { granted: cover('grant:2') }, { grants: [grant('grant:1')] }],
    ['a grant of nobody', { granted: cover('grant:1') }, { grants: [{ userId: 'u1', after: null }] }],
    [
      'a grant of a month that lasts five',
      { granted: cover('grant:1', LONG) },
      { grants: [grant('grant:1')] },
    ],
    [
      'a grant that lasts a moment longer than recorded',
      { granted: cover('grant:1', { ...LONG, end: '2026-07-05T12:00:00.001Z' }) },
      { grants: [grant('grant:1', LONG)] },
    ],
    [
      'a grant with a month more than recorded',
      { granted: cover('grant:1', { ...LONG, months: 6 }) },
      { grants: [grant('grant:1', LONG)] },
    ],
    [
      'a grant that begins at another time than recorded',
      { granted: cover('grant:1', { ...LONG, start: '2026-02-20T00:00:00Z' }) },
      { grants: [grant('grant:1', LONG)] },
    ],
    [
      'an unknown invoice in addition to an expired grant',
      { paid: cover('in_x'), granted: cover('grant:1', { end: '2024-01-01T00:00:00Z' }) },
      { grants: [grant('grant:1')] },
    ],
  ])('from %s is a breach', async (_source, owner, rows) => {
    expect(await countBreaches(owner, rows)).toBe(1);
  });
});

test('V2 the bucket of a plan that was granted without a record is a breach', async () => {
  const credit_buckets = [{ id: 1, userId: 'u1', source: 'grant:2' }];
  const tables = { credit_buckets, audit_log: [grant('grant:1')] };
  const breaches = await oneBucketForEachInvoice.find(sources(tables));
  expect(breaches.map(({ detail }) => detail)).toContain(
    'bucket 1 was opened by grant:2, which is not recorded',
  );
});

const bucket = (id: number, source: string, [from, to]: [from: string, to: string]) => ({
  id,
  userId: 'u1',
  source,
  startsAt: new Date(`${from}T00:00:00Z`),
  endsAt: new Date(`${to}T00:00:00Z`),
});

describe('V2 the buckets of a grant of several months', () => {
  const find = async (...buckets: object[]): Promise<string[]> =>
    (
      await oneBucketForEachInvoice.find(
        sources({
          credit_buckets: [bucket(1, 'grant:1', ['2026-03-01', '2026-04-01']), ...buckets],
          audit_log: [grant('grant:1', LONG), grant('grant:2')],
          invoices: [],
        }),
      )
    ).map(({ detail }) => detail);

  test('begin each month to the end of the grant, and some may be left out or end earlier', async () => {
    const cut = { ...bucket(3, 'grant:1:4', ['2026-07-01', '2026-07-05']), endsAt: new Date(LONG.end) };
    expect(await find(bucket(2, 'grant:1:2', ['2026-05-01', '2026-06-01']), cut)).toEqual([]);
    expect(await find(bucket(2, 'grant:1:2', ['2026-05-01', '2026-05-09']))).toEqual([]);
  });

  const NOT_A_MONTH = 'is not a month of the recorded grant';
  test.each<[string, ReturnType<typeof bucket>, string]>([
    ['after the end of the grant', bucket(2, 'grant:1:5', ['2026-08-01', '2026-08-05']), NOT_A_MONTH],
    ['after it, over at once', bucket(2, 'grant:1:5', ['2026-08-01', '2026-07-05']), NOT_A_MONTH],
    ['that go on after it', bucket(2, 'grant:1:4', ['2026-07-01', '2026-08-01']), NOT_A_MONTH],
    ['at another time', bucket(2, 'grant:1:1', ['2026-04-02', '2026-05-01']), NOT_A_MONTH],
    ['of another month', bucket(2, 'grant:1:2', ['2026-04-01', '2026-05-01']), NOT_A_MONTH],
    ['of a grant of one month', bucket(2, 'grant:2:1', ['2026-04-01', '2026-05-01']), NOT_A_MONTH],
    ['a second time', bucket(2, 'grant:1:0', ['2026-03-01', '2026-04-01']), 'which is not recorded'],
    ['a third time', bucket(2, 'grant:1:01', ['2026-04-01', '2026-05-01']), 'which is not recorded'],
    ['of no grant', bucket(2, 'grant:3:1', ['2026-04-01', '2026-05-01']), 'which is not recorded'],
    [
      'of a grant to another user',
      { ...bucket(2, 'grant:1:1', ['2026-04-01', '2026-05-01']), userId: 'u2' },
      'which is not recorded',
    ],
  ])('%s are a breach', async (_, second, text) => {
    const found = await find(second);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(new RegExp(`^bucket 2 .*${text}$`));
  });

  test('that go on in the next month are a breach', async () => {
    const [long, next] = [
      bucket(2, 'grant:1:1', ['2026-04-01', '2026-06-01']),
      bucket(3, 'grant:1:2', ['2026-05-01', '2026-06-01']),
    ];
    expect(await find(long, next)).toEqual(['bucket 2 of grant:1:1 ends after the next month begins']);
  });
});

describe('V2 the buckets of a paid year', () => {
  const first = bucket(1, 'in_1', ['2026-03-01', '2026-04-01']);
  const find = async (sold: object, ...buckets: object[]): Promise<string[]> =>
    (
      await oneBucketForEachInvoice.find(
        sources({ credit_buckets: [first, ...buckets], audit_log: [], invoices: [sold] }),
      )
    ).map(({ detail }) => detail);

  test('begin each month, and some may be left out', async () => {
    const last = bucket(3, 'in_1:11', ['2027-02-01', '2027-03-08']);
    expect(await find(year, bucket(2, 'in_1:1', ['2026-04-01', '2026-05-01']), last)).toEqual([]);
  });

  test.each<[string, object, ReturnType<typeof bucket>, string]>([
    [
      'of a month that was not sold',
      invoice,
      bucket(2, 'in_1:1', ['2026-04-01', '2026-05-01']),
      'does not begin with a month that was sold',
    ],
    [
      'after the year',
      year,
      bucket(2, 'in_1:12', ['2027-03-01', '2027-04-01']),
      'does not begin with a month that was sold',
    ],
    [
      'at another time',
      year,
      bucket(2, 'in_1:2', ['2026-04-15', '2026-05-15']),
      'does not begin with a month that was sold',
    ],
    ['of no invoice', year, bucket(2, 'in_2:1', ['2026-04-01', '2026-05-01']), 'which is not a paid invoice'],
    ['a second time', year, bucket(2, 'in_1:0', ['2026-03-01', '2026-04-01']), 'which is not a paid invoice'],
    [
      'of another user',
      { ...year, userId: 'u2' },
      bucket(2, 'in_1:1', ['2026-04-01', '2026-05-01']),
      'bucket 2 was opened by in_1:1, which is not a paid invoice of its user',
    ],
  ])('%s are a breach', async (_, sold, second, text) => {
    expect((await find(sold, second)).join()).toContain(text);
  });

  test('that go on in the next month are a breach', async () => {
    const long = bucket(2, 'in_1:1', ['2026-04-01', '2026-06-01']);
    const next = bucket(3, 'in_1:2', ['2026-05-01', '2026-06-01']);
    expect(await find(year, long, next)).toEqual(['bucket 2 of in_1:1 ends after the next month begins']);
  });
});

describe('`verify`, with the provider', () => {
  let server: Server;
  let body: object = {};
  let url = '';
  beforeAll(async () => {
    server = createServer((_request, response) => response.end(JSON.stringify(body)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());

  const subscriber = subscriberWith({
    paid: cover('in_1', { graceUntil: '2026-04-08T00:00:00Z' }),
    customerId: 'cus_1',
  });
  const countBreaches = async (subscribers: object[]): Promise<number> =>
    (await providerAgrees.find(sources({ subscribers }, url))).length;

  test('V1 a charged user without premium and a renewal without a subscription are breaches', async () => {
    body = { data: [{ id: 'sub_1', customer: 'cus_1', status: 'active' }], has_more: false };
    expect(await countBreaches([subscriber])).toBe(0);
    expect(await countBreaches([])).toBe(1);
    expect(await countBreaches([{ ...subscriber, deletedAt: now }])).toBe(1);
    body = { data: [{ id: 'sub_1', customer: 'cus_1', status: 'canceled' }], has_more: false };
    expect(await countBreaches([subscriber])).toBe(1);
  });

  test('V8 a mail without a row that was sent three times is a breach', async () => {
    const sentMails = (times: number) => ({
      data: Array.from({ length: times }, () => ({ customArgs: { mail_id: 'm1' } })),
    });
    body = sentMails(3);
    expect(await mailsWentOnce.find(sources({}, url))).toHaveLength(1);
    body = sentMails(2);
    expect(await mailsWentOnce.find(sources({}, url))).toHaveLength(0);
  });
});
