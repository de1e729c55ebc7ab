import { relative } from 'node:path';
import type { JourneyReport, JourneySuite, UnitReport } from './count-results.ts';

export type TimedFile = {
  path: string;
  seconds: number;
  tests: number;
  slowestTest: { title: string; seconds: number };
};

const NO_TEST = { title: '', seconds: 0 };

const slowest = (tests: readonly TimedFile['slowestTest'][]): TimedFile['slowestTest'] =>
  tests.toSorted((a, b) => b.seconds - a.seconds)[0] ?? NO_TEST;

/** Returns the files of Vitest's JSON report; a file that ran in two projects is there twice. */
export const timedUnits = (report: UnitReport, root: string): TimedFile[] =>
  report.testResults.map(({ name, startTime, endTime, assertionResults }) => ({
    path: relative(root, name),
    seconds: (endTime - startTime) / 1_000,
    tests: assertionResults.length,
    slowestTest: slowest(
      assertionResults.map(({ fullName, duration }) => ({
        title: fullName,
        seconds: (duration ?? 0) / 1_000,
      })),
    ),
  }));

const testsOf = ({ specs, suites = [] }: JourneySuite): TimedFile['slowestTest'][] => [
  ...specs.map(({ title, tests }) => ({
    title,
    seconds:
      tests.flatMap(({ results }) => results).reduce((sum, { duration = 0 }) => sum + duration, 0) / 1_000,
  })),
  ...suites.flatMap((suite) => testsOf(suite)),
];

/** Returns the files of Playwright's JSON report, without the start of their systems. */
export const timedJourneys = ({ suites }: JourneyReport): TimedFile[] =>
  suites.map((suite) => {
    const tests = testsOf(suite);
    return {
      path: suite.title,
      seconds: tests.reduce((sum, { seconds }) => sum + seconds, 0),
      tests: tests.length,
      slowestTest: slowest(tests),
    };
  });
