import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const read = (name: string): string => readFileSync(join(ROOT, name), 'utf8');
const SECURITY = read('docs/security.md');
const ASVS = read('docs/asvs.md');

/** The requirements of levels 1 and 2 in each chapter of ASVS 5.0.0; the others are not applicable as whole chapters. */
const REQUIREMENTS = {
  ...{ 1: 27, 2: 11, 3: 19, 4: 10, 5: 9, 6: 35, 7: 18, 8: 7, 9: 7 },
  ...{ 11: 14, 12: 9, 13: 13, 14: 9, 15: 13, 16: 16 },
};

/** A line of the lists; several requirements with the same proof share one. */
type Row = { ids: string[]; where: string };

/** As in `- 6.2.2–4, 6.2.8 what it requires: where`. */
const ROW = /^- ((?:\d+\.\d+\.\d+(?:–\d+)?(?:, )?)+) [^:]+:(.*)$/gm;
const PATH = /`([\w.-]+(?:\/[\w.-]+)+|\.[\w.]+)`/g;

/** The ids of a cell such as `6.2.2–4, 6.2.8`. */
const idsOf = (cell: string): string[] =>
  cell.split(', ').flatMap((part) => {
    const [, section = '', first = '', last = first] = /^(\d+\.\d+\.)(\d+)(?:–(\d+))?$/.exec(part) ?? [];
    const count = Number(last) - Number(first) + 1;
    return Array.from({ length: count }, (_, index) => `${section}${Number(first) + index}`);
  });

const rowsOf = (page: string): Row[] =>
  [...page.matchAll(ROW)].map(([, ids = '', where = '']) => ({ ids: idsOf(ids), where: where.trim() }));

/** The part of the page about one state. */
const sectionOf = (state: string): string =>
  ASVS.split(/^## /m).find((section) => section.startsWith(`${state}\n`)) ?? '';

const pathsIn = (text: string): string[] => [...text.matchAll(PATH)].map(([, path = '']) => path);

const isPresent = (path: string): boolean => existsSync(join(ROOT, path));

/** A row that is met names its test, or a source by construction, or a page that documents it. */
const isProved = ({ where }: Row): boolean => {
  const paths = pathsIn(where);
  if (paths.some((path) => /\.(test|spec)\.tsx?$/.test(path))) return true;
  return (
    paths.length > 0 && (where.includes('by construction') || paths.some((path) => path.endsWith('.md')))
  );
};

const problemOf = (row: Row, isMet: boolean): string | null => {
  const id = row.ids.join(', ');
  if (row.where === '') return `${id}: no reason`;
  if (isMet && !isProved(row)) return `${id}: met without a test, a source or a page`;
  const missing = pathsIn(row.where).find((path) => !isPresent(path));
  return missing === undefined ? null : `${id}: ${missing} does not exist`;
};

const problemsOf = (page: string, isMet: boolean): string[] =>
  rowsOf(page)
    .map((row) => problemOf(row, isMet))
    .filter((problem) => problem !== null);

const rankOf = (id = ''): number => id.split('.').reduce((rank, part) => rank * 100 + Number(part), 0);

describe('the page of ASVS', () => {
  it.each(['Open', 'Not applicable', 'Met'])('has rows with a reason or existing files: %s', (state) => {
    const section = sectionOf(state);
    expect(rowsOf(section).length).toBeGreaterThan(0);
    expect(problemsOf(section, state === 'Met')).toEqual([]);
    const ranks = rowsOf(section).map(({ ids }) => rankOf(ids[0]));
    expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
  });

  it('has each requirement of levels 1 and 2 once', () => {
    const ids = rowsOf(ASVS).flatMap((row) => row.ids);
    expect(new Set(ids).size).toBe(ids.length);
    const chapters = Object.groupBy(ids, (id) => id.split('.')[0] ?? '');
    const counts = Object.entries(chapters).map(([chapter, rows = []]) => [chapter, rows.length]);
    expect(Object.fromEntries(counts)).toEqual(REQUIREMENTS);
  });
});

it('the pages about security name existing files, and one links to the other', () => {
  expect(pathsIn(SECURITY + ASVS).filter((path) => !isPresent(path))).toEqual([]);
  expect(SECURITY).toContain('](asvs.md)');
});

describe('a line of the lists', () => {
  it.each([
    ['no reason', '- 1.1.1 x: ', '1.1.1: no reason'],
    ['a missing test', '- 1.1.1 x: `bff/test/no.test.ts`', '1.1.1: bff/test/no.test.ts does not exist'],
    ['no file', '- 1.1.1 x: by construction', '1.1.1: met without a test, a source or a page'],
    ['a source alone', '- 1.1.1 x: `bff/src/app.ts`', '1.1.1: met without a test, a source or a page'],
  ])('that is met is reported with %s', (_text, row, problem) => {
    expect(problemsOf(row, true)).toEqual([problem]);
  });

  it('may have several requirements', () => {
    expect(rowsOf('- 1.1.1–3, 1.2.4 x: y').flatMap(({ ids }) => ids)).toEqual([
      '1.1.1',
      '1.1.2',
      '1.1.3',
      '1.2.4',
    ]);
  });

  it('is accepted with an existing source by construction', () => {
    expect(problemsOf('- 1.1.1 x: `bff/src/app.ts`, by construction', true)).toEqual([]);
  });
});
