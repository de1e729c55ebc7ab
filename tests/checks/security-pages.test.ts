import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = 'docs/security';
const STATES = new Set(['met', 'not applicable', 'open']);

/** The requirements of levels 1 and 2 in each chapter of ASVS 5.0.0; the others are not applicable as whole chapters. */
const REQUIREMENTS = {
  ...{ 1: 27, 2: 11, 3: 19, 4: 10, 5: 9, 6: 35, 7: 18, 8: 7, 9: 7 },
  ...{ 11: 14, 12: 9, 13: 13, 14: 9, 15: 13, 16: 16 },
};

type Row = { id: string; state: string; where: string };

const ROW = /^\|\s*(\d+\.\d+\.\d+)\s*\|/;
const PATH = /`([\w.-]+(?:\/[\w.-]+)+|\.[\w.]+)`/g;

const rowsOf = (page: string): Row[] =>
  page
    .split('\n')
    .filter((line) => ROW.test(line))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, id = '', , state = '', where = '']) => ({ id, state, where }));

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

const problemOf = (row: Row): string | null => {
  if (!STATES.has(row.state)) return `${row.id}: '${row.state}' is not a state`;
  if (row.where === '') return `${row.id}: no reason`;
  if (row.state === 'met' && !isProved(row)) return `${row.id}: met without a test, a source or a page`;
  const missing = pathsIn(row.where).find((path) => !isPresent(path));
  return missing === undefined ? null : `${row.id}: ${missing} does not exist`;
};

const problemsOf = (page: string): string[] =>
  rowsOf(page)
    .map(problemOf)
    .filter((problem) => problem !== null);

const rankOf = (id: string): number => id.split('.').reduce((rank, part) => rank * 100 + Number(part), 0);

const names = readdirSync(join(ROOT, FOLDER)).map((name) => `${FOLDER}/${name}`);
const pages = new Map(
  ['docs/security.md', ...names].map((name) => [name, readFileSync(join(ROOT, name), 'utf8')] as const),
);

describe.each([...pages])('%s', (name, page) => {
  it('has rows with one of three states, each with existing files or a reason', () => {
    expect(problemsOf(page)).toEqual([]);
  });

  it('names existing files', () => {
    expect(pathsIn(page).filter((path) => !isPresent(path))).toEqual([]);
  });

  it('has its rows in order', () => {
    const ranks = rowsOf(page).map(({ id }) => rankOf(id));
    expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
  });

  it('is linked on the first page', () => {
    const link = name.replace('docs/', '');
    expect(name === 'docs/security.md' || pages.get('docs/security.md')?.includes(`](${link})`)).toBe(true);
  });
});

it('the tables have each requirement of levels 1 and 2 once', () => {
  const ids = [...pages.values()].flatMap(rowsOf).map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const chapters = Object.groupBy(ids, (id) => id.split('.')[0] ?? '');
  const counts = Object.entries(chapters).map(([chapter, rows = []]) => [chapter, rows.length]);
  expect(Object.fromEntries(counts)).toEqual(REQUIREMENTS);
});

describe('a row of the tables', () => {
  it.each([
    ['an unknown state', '| 1.1.1 | x | partly | `README.md` |', "1.1.1: 'partly' is not a state"],
    ['no reason', '| 1.1.1 | x | open | |', '1.1.1: no reason'],
    [
      'a missing test',
      '| 1.1.1 | x | met | `bff/test/no.test.ts` |',
      '1.1.1: bff/test/no.test.ts does not exist',
    ],
    ['no file', '| 1.1.1 | x | met | by construction |', '1.1.1: met without a test, a source or a page'],
    [
      'a source alone',
      '| 1.1.1 | x | met | `bff/src/app.ts` |',
      '1.1.1: met without a test, a source or a page',
    ],
  ])('is reported with %s', (_text, row, problem) => {
    expect(problemsOf(row)).toEqual([problem]);
  });

  it('is accepted with an existing source by construction', () => {
    expect(problemsOf('| 1.1.1 | x | met | `bff/src/app.ts`, by construction |')).toEqual([]);
  });
});
