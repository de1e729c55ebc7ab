import { stripVTControlCharacters } from 'node:util';

/** The result of a step: its exit code, and its JSON report if it wrote one. */
export type Outcome = { code: number | null; report: unknown };
/** The counts of a step. `notes` has one line for each failure, for the end of the log. */
export type Counts = { passed: number; failed: number; notes: string[] };

type UnitTest = {
  status: string;
  fullName: string;
  failureMessages?: string[];
};
/** What is read of Vitest's JSON report. */
export type UnitReport = {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: UnitTest[];
  }[];
};

type Failure = { message?: string };
type JourneySpec = {
  title: string;
  file: string;
  ok: boolean;
  tests: {
    annotations: { type: string; description?: string }[];
    results: { error?: Failure }[];
  }[];
};
type JourneySuite = { title: string; specs: JourneySpec[]; suites?: JourneySuite[] };
/** What is read of Playwright's JSON report. */
export type JourneyReport = {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  suites: JourneySuite[];
  errors: Failure[];
};

const LONGEST_NOTE = 600;

const nameFailure = (where: string, reason = 'no message'): string => {
  const line = stripVTControlCharacters(reason).replaceAll(/\s+/g, ' ');
  return `FAILED ${where}: ${line.slice(0, LONGEST_NOTE)}`;
};

/** Counts one failure for a step without a failed test that exited with an error or ran no test. */
const addStepFailure = ({ passed, failed, notes }: Counts, code: number | null): Counts => {
  if (failed === 0 && code !== 0)
    return { passed, failed: 1, notes: [...notes, `exited with ${code ?? 'a signal'}`] };
  if (failed === 0 && passed === 0) return { passed, failed: 1, notes: [...notes, 'no tests ran'] };
  return { passed, failed, notes };
};

const skippedNote = (skipped: number): string[] =>
  skipped > 0 ? [`${skipped} skipped, counted as failed`] : [];

export const countCheck = ({ code }: Outcome): Counts => ({
  passed: code === 0 ? 1 : 0,
  failed: code === 0 ? 0 : 1,
  notes: code === 0 ? [] : ['FAILED: the output is above'],
});

const unitFailures = ({ testResults }: UnitReport): string[] =>
  testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed');
    // A file that cannot be loaded, or whose setup fails, may report no test.
    if (failed.length === 0) return status === 'failed' ? [nameFailure(name, message)] : [];
    return failed.map((test) => nameFailure(`${name} ${test.fullName}`, test.failureMessages?.[0]));
  });

/** Counts the results in Vitest's JSON report. */
export const countUnits = ({ code, report }: Outcome): Counts => {
  if (report === null) return addStepFailure({ passed: 0, failed: 0, notes: ['wrote no report'] }, code);
  const units = report as UnitReport;
  const skipped = units.numPendingTests + units.numTodoTests;
  return addStepFailure(
    {
      passed: units.numPassedTests,
      failed: units.numFailedTests + skipped,
      notes: [...unitFailures(units), ...skippedNote(skipped)],
    },
    code,
  );
};

const specsOf = ({ specs, suites = [] }: JourneySuite): JourneySpec[] => [
  ...specs,
  ...suites.flatMap((suite) => specsOf(suite)),
];

const journeyFailures = ({ suites, errors }: JourneyReport): string[] => [
  ...suites
    .flatMap((suite) => specsOf(suite))
    .filter(({ ok }) => !ok)
    .map(({ file, title, tests }) =>
      nameFailure(`${file} ${title}`, tests.flatMap(({ results }) => results).at(-1)?.error?.message),
    ),
  ...errors.map(({ message }) => nameFailure('outside a journey', message)),
];

/** What journeys, or parts of them, say that this machine lacks for them; in CI they fail instead. */
const missingHere = ({ suites }: JourneyReport): string[] => {
  const annotations = suites
    .flatMap((suite) => specsOf(suite))
    .flatMap(({ tests }) => tests.flatMap((test) => test.annotations));
  const texts = annotations
    .filter(({ type }) => type === 'not run')
    .map(({ description = '' }) => description);
  return [...new Set(texts)].map((text) => `NOT RUN: ${text}`);
};

/** Counts the results in Playwright's JSON report. */
export const countJourneys = ({ code, report }: Outcome): Counts => {
  if (report === null) return addStepFailure({ passed: 0, failed: 0, notes: ['wrote no report'] }, code);
  const journeys = report as JourneyReport;
  const { expected, unexpected, flaky, skipped } = journeys.stats;
  return addStepFailure(
    {
      passed: expected,
      failed: unexpected + flaky + skipped,
      notes: [...journeyFailures(journeys), ...missingHere(journeys), ...skippedNote(skipped)],
    },
    code,
  );
};
