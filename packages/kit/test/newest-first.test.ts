import fc from 'fast-check';
import { expect, it } from 'vitest';
import { boundOf, type NewestFirst, readNewest } from '../src/data/newest-first.ts';
import { readPages } from '../src/testing/read-pages.ts';

type Row = { key: string; at: Date };
type Entry = { id: string; at: string };
type Request = { before?: string; limit: number };

const entryOf = (prefix: string, { key, at }: Row): Entry => ({
  id: `${prefix}${key}`,
  at: at.toISOString(),
});

const byTimeAndKey = (one: Row, other: Row): number =>
  other.at.getTime() - one.at.getTime() || (one.key < other.key ? 1 : -1);

/** A table, read as a query reads it. */
const listOf =
  (prefix: string, rows: readonly Row[]): NewestFirst<Request, Entry> =>
  ({ position, limit }) => {
    const { at, key } = boundOf(position, prefix);
    const older = rows.filter((row) => row.at <= at && (row.at < at || row.key < key));
    const page = older.toSorted(byTimeAndKey).slice(0, limit);
    return Promise.resolve(page.map((row) => entryOf(prefix, row)));
  };

const PREFIXES = ['change:', 'email:', 'ledger:'];

it('lists that are read in pages have every entry once, by time and then by id, also of one millisecond', async () => {
  const row = fc.record({
    key: fc.stringMatching(/^[0-9a-f]{1,3}-?[0-9a-f]$/),
    at: fc.integer({ min: 1_000, max: 1_004 }).map((ms) => new Date(ms)),
  });
  const rows = fc.uniqueArray(row, { maxLength: 12, selector: ({ key }) => key });
  const tables = fc.tuple(rows, rows, rows);
  await fc.assert(
    fc.asyncProperty(tables, fc.integer({ min: 1, max: 5 }), async (tables, limit) => {
      const lists = Object.fromEntries(
        PREFIXES.map((prefix, i) => [prefix, listOf(prefix, tables[i] ?? [])]),
      );
      const read = await readPages((page) => readNewest(lists, PREFIXES, { ...page, limit }));
      const all = PREFIXES.flatMap((prefix, i) => (tables[i] ?? []).map((row) => entryOf(prefix, row)));
      const expected = all.toSorted((one, other) => (one.at + one.id < other.at + other.id ? 1 : -1));
      expect(read).toEqual(expected);
    }),
  );
});

it('only the named lists are read, and more than the limit is cut', async () => {
  const rows = ['1', '2', '3'].map((key) => ({ key, at: new Date(0) }));
  const lists = { 'change:': listOf('change:', rows), 'email:': () => Promise.reject(new Error('read')) };
  const page = await readNewest(lists, ['change:', 'unknown' as 'change:'], { limit: 2 });
  expect(page.map(({ id }) => id)).toEqual(['change:3', 'change:2']);
});
