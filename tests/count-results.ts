/** What a step left behind: its exit code, and its JSON report when it got that far. */
export type Outcome = { code: number | null; report: unknown };
export type Counted = { passed: number; failed: number; notes: string[] };

type UnitReport = {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
};
type JourneyReport = { stats: { expected: number; unexpected: number; flaky: number; skipped: number } };

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
  notes: [],
});

/** Of vitest's JSON report. */
export const countUnits = ({ code, report }: Outcome): Counted => {
  if (report === null) return settle({ passed: 0, failed: 0, notes: ['left no report'] }, code);
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = report as UnitReport;
  const skipped = numPendingTests + numTodoTests;
  return settle(
    { passed: numPassedTests, failed: numFailedTests + skipped, notes: skippedNote(skipped) },
    code,
  );
};

/** Of Playwright's JSON report. */
export const countJourneys = ({ code, report }: Outcome): Counted => {
  if (report === null) return settle({ passed: 0, failed: 0, notes: ['left no report'] }, code);
  const { expected, unexpected, flaky, skipped } = (report as JourneyReport).stats;
  return settle(
    { passed: expected, failed: unexpected + flaky + skipped, notes: skippedNote(skipped) },
    code,
  );
};
