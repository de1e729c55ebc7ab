import type { CreditsEntry } from '@shortlist/contracts/api/credits';
import { uuidv7 } from 'uuidv7';
import { expect, it } from 'vitest';
import { respondWith, useBff } from './support.ts';

const bff = await useBff();

const KEY = uuidv7();
const BOT = uuidv7();
const DEVICE = { device: 'MacBook', browser: '', system: '' };
const TOOLS = [{ id: BOT, name: 'Automation bot', ...DEVICE, createdAt: '2026-11-01T09:00:00.000Z' }];
const USER = uuidv7();

const entry = (id: number, change: Partial<CreditsEntry> = {}): CreditsEntry => ({
  id: String(id),
  amount: -1,
  reason: 'email_found',
  reference: null,
  clientId: null,
  createdAt: '2026-11-21T09:12:00.000Z',
  ...change,
});

/** identity has one key, which is deleted, and one tool, and credits these pages. */
const stubServices = (pages: CreditsEntry[][], name = 'Weekly report'): void => {
  const left = [...pages];
  bff.upstream.respond = respondWith(({ url = '' }) => {
    if (url.includes('/connections')) return { data: TOOLS };
    if (url.includes('/api-keys')) return { data: [{ id: KEY, name, hint: 'sl_test_…8f2Q' }] };
    const data = left.shift() ?? [];
    return { data, next: left.length > 0 ? (data.at(-1)?.id ?? null) : null };
  });
};

const download = (query = '') => bff.call('exportHistory', { as: 'user', userId: USER, query });
const historyQueries = () =>
  bff.upstream.requests
    .filter(({ url }) => url.startsWith(`/credits/${USER}/history`))
    .map(({ url }) => Object.fromEntries(new URL(url, bff.url).searchParams));

it('a user downloads all pages of the history, with amounts as numbers and tools by name', async () => {
  const ingrid = { clientId: KEY, reference: 'Ingrid Solberg' };
  stubServices([
    [entry(5, { amount: -184, reason: 'pack_withdrawn' }), entry(4, { amount: 250, reason: 'pack_bought' })],
    [entry(3, { amount: 5, reason: 'released', ...ingrid })],
    [entry(2, { amount: -5, ...ingrid }), entry(1, { clientId: BOT }), entry(0)],
  ]);
  const { status, headers, body } = await download();
  expect(status).toBe(200);
  expect(headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(headers['content-disposition']).toBe('attachment; filename="credits.csv"');
  expect(body.split('\r\n')).toEqual([
    '\uFEFFTime (UTC),Action,Action (code),Contact,Tool,Credits',
    '2026-11-21T09:12:00.000Z,Pack refunded or disputed,pack_withdrawn,,,-184',
    '2026-11-21T09:12:00.000Z,Pack bought,pack_bought,,,250',
    '2026-11-21T09:12:00.000Z,Returned: released,released,Ingrid Solberg,Weekly report,5',
    '2026-11-21T09:12:00.000Z,Email found,email_found,Ingrid Solberg,Weekly report,-5',
    '2026-11-21T09:12:00.000Z,Email found,email_found,,Automation bot,-1',
    '2026-11-21T09:12:00.000Z,Email found,email_found,,Browser,-1',
    '',
  ]);
  expect(historyQueries()).toEqual([
    { limit: '100' },
    { limit: '100', cursor: '4' },
    { limit: '100', cursor: '3' },
  ]);
});

it('the download has what the filters find', async () => {
  stubServices([[]]);
  const filters = { reason: 'expired', client: KEY, from: '2026-11-01', to: '2026-11-21' };
  expect((await download(`?${new URLSearchParams(filters).toString()}`)).status).toBe(200);
  expect(historyQueries()).toEqual([{ ...filters, limit: '100' }]);
});

it('a contact or the name of a key is no formula for a spreadsheet', async () => {
  stubServices([[entry(1, { reference: '=HYPERLINK("x")', clientId: KEY })]], '@SUM(A1)');
  expect((await download()).body).toContain(',"\'=HYPERLINK(""x"")",\'@SUM(A1),-1');
});

it('a file has 50,000 entries at most, and says how to get the others', async () => {
  const full = Array.from({ length: 100 }, (_, index) => entry(index));
  bff.upstream.respond = respondWith(({ url = '' }) =>
    url.includes('/history') ? { data: full, next: '7' } : { data: [] },
  );
  const lines = (await download()).body.split('\r\n');
  expect(historyQueries()).toHaveLength(500);
  expect(lines).toHaveLength(1 + 50_000 + 2);
  expect(lines.at(-2)).toBe('"This file ends after 50,000 entries. Choose days to download earlier ones."');
});

it('a second file of a user is refused while the first is being written, and others get theirs', async () => {
  stubServices([[]]);
  const answer = bff.upstream.respond;
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  bff.upstream.respond = (...exchange) => {
    if (!exchange[0].url?.startsWith(`/credits/${USER}/history`)) return answer(...exchange);
    reach();
    void held.then(() => answer(...exchange));
  };
  const first = download();
  await reached;
  const { status, headers, body } = await download();
  expect([status, headers['retry-after']]).toEqual([429, '10']);
  expect(body).toContain('You are already downloading this file');
  expect((await bff.call('exportHistory', { as: 'user' })).status).toBe(200);
  release();
  expect((await first).status).toBe(200);
  stubServices([[]]);
  expect((await download()).status).toBe(200);
});

it('a filter that does not exist is refused before anything is written', async () => {
  stubServices([[]]);
  const { status, body } = await download('?from=2026-11-21&to=2026-11-01');
  expect([status, body]).toEqual([400, expect.stringContaining('cannot be before the first')]);
  expect(historyQueries()).toEqual([]);
});
