import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  countCheck,
  countJourneys,
  type Counts,
  countUnits,
  type Outcome,
  type UnitReport,
} from './count-results.ts';

export const ROOT = join(import.meta.dirname, '../..');

/** The tests that reach a database: they run on MariaDB and, as a project of their own, on MySQL. */
export const MYSQL_TESTS = {
  include: [
    'services/{billing,credits,identity,profile,worker}/test/**/*.test.ts',
    'packages/kit/test/{database,relay,sql}.test.ts',
  ],
  exclude: ['services/identity/test/{login-flood,password-policy}.test.ts'],
};

export type Step = {
  name: string;
  /** `<report>` stands for the file of the JSON report. */
  command: readonly string[];
  count: (outcome: Outcome) => Counts;
};

const check = (...files: readonly string[]): Step => ({
  name: 'check',
  command: ['node', 'tools/check/main.ts', ...files],
  count: countCheck,
});

const units = (...more: readonly string[]): Step => ({
  name: 'tests',
  command: ['vitest', 'run', '--reporter=dot', '--reporter=json', '--outputFile.json=<report>', ...more],
  count: countUnits,
});

const journeys = (...more: readonly string[]): Step => ({
  name: 'journeys',
  command: ['playwright', 'test', '--config', 'tests/playwright.config.ts', '--reporter=list,json', ...more],
  count: countJourneys,
});

/** What runs in full in a long run: the files that import the sampling. */
const sampledFiles = (pattern: string): string[] =>
  globSync(pattern, { cwd: ROOT, exclude: (path) => path.includes('node_modules') })
    .filter((path) => /\/testing\/sample(\.ts)?'/.test(readFileSync(join(ROOT, path), 'utf8')))
    .toSorted();

const git = (...args: readonly string[]): string =>
  execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

/** The last commit that main of the origin has as well, or without an origin the last commit. */
const baseOfChanges = (): string => {
  try {
    return git('merge-base', 'HEAD', 'origin/main');
  } catch {
    return 'HEAD';
  }
};

const changedSince = (base: string): string[] =>
  `${git('diff', '--name-only', base)}\n${git('ls-files', '--others', '--exclude-standard')}`
    .split('\n')
    .filter((file) => file !== '' && existsSync(join(ROOT, file)));

const stepsOfChanges = (): Step[] => {
  const base = process.env.SINCE || baseOfChanges();
  const files = changedSince(base);
  const tests = units('--changed', base, '--passWithNoTests');
  /** A change of a document touches no test. */
  const isEmpty = ({ code, report }: Outcome): boolean =>
    code === 0 && (report as UnitReport | null)?.testResults.length === 0;
  const count: Step['count'] = (outcome) =>
    isEmpty(outcome) ? { passed: 0, failed: 0, notes: [] } : tests.count(outcome);
  return files.length === 0 ? [] : [check(...files), { ...tests, count }];
};

/** Returns how many of these tests belong to a part of `make test`. */
export const countMysqlTests = (part: string): number => {
  if (part === 'e2e') return 0;
  const { include, exclude } = MYSQL_TESTS;
  const files = globSync(include, { cwd: ROOT, exclude });
  return ['all', 'changed', 'long'].includes(part)
    ? files.length
    : files.filter((file) => file.startsWith(part)).length;
};

/** Returns the steps of `make test`, or those of a part of it: `e2e`, `long`, `changed`, or a file or folder of tests. */
export const stepsOf = (part: string): Step[] => {
  if (part === 'all') return [check(), units(), journeys()];
  if (part === 'e2e') return [journeys()];
  if (part === 'changed') return stepsOfChanges();
  if (part.startsWith('tests/journeys/') || part.endsWith('.spec.ts')) return [journeys(part)];
  if (part !== 'long') return [units(part)];
  return [
    units(...sampledFiles('{packages,services,bff,deploy,tools,web}/**/*.test.{ts,tsx}')),
    journeys(...sampledFiles('{tests/journeys,tools/*}/*.spec.ts')),
  ];
};
