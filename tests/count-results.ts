import { stripVTControlCharacters } from 'node:util';

/** What a step left behind: its exit code, and its JSON report when it got that far. */
export type Outcome = { code: number | null; report: unknown };
/** `notes` name each failure in a line, so that the end of a long log says what to look at. */
export type Counted = { passed: number; failed: number; notes: string[] };

type UnitTest = { status: string; fullName: string; failureMessages?: string[] };
type UnitReport = {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: { name: string; status: string; message: string; assertionResults: UnitTest[] }[];
};

type Said = { message?: string };
type JourneySpec = {
  title: string;
  file: string;
  ok: boolean;
  tests: { results: { error?: Said }[] }[];
};
type JourneySuite = { specs: JourneySpec[]; suites?: JourneySuite[] };
type JourneyReport = {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  suites: JourneySuite[];
  errors: Said[];
};

const LONGEST_NOTE = 600;

const nameFailure = (where: string, reason = 'it did not say why'): string => {
  const line = stripVTControlCharacters(reason).replaceAll(/\s+/g, ' ');
  return `FAILED ${where}: ${line.slice(0, LONGEST_NOTE)}`;
};

/** A step that ended badly, or did nothing, without a failed test to show for it counts as one failure. */
const settle = ({ passed, failed, notes }: Counted, code: number | null): Counted => {
  if (failed === 0 && code !== 0)
    return { passed, failed: 1, notes: [...notes, `ended with ${code ?? 'a signal'}`] };
  if (failed === 0 && passed === 0) return { passed, failed: 1, notes: [...notes, 'there were no tests'] };
  return { passed, failed, notes };
};

const skippedNote = (skipped: number): string[] =>
  skipped > 0 ? [`${skipped} skipped, counted as failed`] : [];

export const countCheck = ({ code }: Outcome): Counted => ({
  passed: code === 0 ? 1 : 0,
  failed: code === 0 ? 0 : 1,
  notes: code === 0 ? [] : ['FAILED: what the checks say is above'],
});

const unitFailures = ({ testResults }: UnitReport): string[] =>
  testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed');
    // A file that could not be loaded, or whose set-up failed, may have no test to show for it.
    if (failed.length === 0) return status === 'failed' ? [nameFailure(name, message)] : [];
    return failed.map((test) => nameFailure(`${name} ${test.fullName}`, test.failureMessages?.[0]));
  });

/** Of vitest's JSON report. */
export const countUnits = ({ code, report }: Outcome): Counted => {
  if (report === null) return settle({ passed: 0, failed: 0, notes: ['left no report'] }, code);
  const units = report as UnitReport;
  const skipped = units.numPendingTests + units.numTodoTests;
  return settle(
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

/** Of Playwright's JSON report. */
export const countJourneys = ({ code, report }: Outcome): Counted => {
  if (report === null) return settle({ passed: 0, failed: 0, notes: ['left no report'] }, code);
  const journeys = report as JourneyReport;
  const { expected, unexpected, flaky, skipped } = journeys.stats;
  return settle(
    {
      passed: expected,
      failed: unexpected + flaky + skipped,
      notes: [...journeyFailures(journeys), ...skippedNote(skipped)],
    },
    code,
  );
};
