import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  countCheck,
  countJourneys,
  type Counts,
  countUnits,
  type JourneyReport,
  type Outcome,
  type UnitReport,
} from './count-results.ts';
import { type TimedFile, timedJourneys, timedUnits } from './timed-files.ts';

export const ROOT = join(import.meta.dirname, '../..');

export type Step = {
  name: string;
  /** `<report>` stands for the file of the JSON report. */
  command: readonly string[];
  count: (outcome: Outcome) => Counts;
  timedFiles: (report: unknown) => TimedFile[];
  /** Whether its files have budgets. */
  budgeted: boolean;
};

const CHECK: Step = {
  name: 'check',
  command: ['node', 'tools/check/main.ts'],
  count: countCheck,
  timedFiles: () => [],
  budgeted: false,
};

const units = (...more: readonly string[]): Step => ({
  name: 'tests',
  command: ['vitest', 'run', '--reporter=dot', '--reporter=json', '--outputFile.json=<report>', ...more],
  count: countUnits,
  timedFiles: (report) => timedUnits(report as UnitReport, ROOT),
  budgeted: true,
});

const journeys = (...more: readonly string[]): Step => ({
  name: 'journeys',
  command: ['playwright', 'test', '--config', 'tests/playwright.config.ts', '--reporter=list,json', ...more],
  count: countJourneys,
  timedFiles: (report) => timedJourneys(report as JourneyReport),
  budgeted: false,
});

/** What runs in full in a long run: the files that import the sampling. */
const sampledFiles = (pattern: string): string[] =>
  globSync(pattern, { cwd: ROOT, exclude: (path) => path.includes('node_modules') })
    .filter((path) => /\/testing\/sample(\.ts)?'/.test(readFileSync(join(ROOT, path), 'utf8')))
    .toSorted();

/** Returns the steps of `make test`, or those of a part of it. */
export const stepsOf = (part: string): Step[] => {
  if (part === 'e2e') return [journeys()];
  if (part === 'long')
    return [
      { ...units(...sampledFiles('{services,bff,deploy,tools,web}/**/*.test.{ts,tsx}')), budgeted: false },
      journeys(...sampledFiles('tests/journeys/*.spec.ts')),
    ];
  return [CHECK, units(), journeys()];
};
