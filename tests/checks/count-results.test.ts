import { describe, expect, test } from 'vitest';
import { countCheck, countJourneys, countUnits } from '../suite/count-results.ts';

const units = (testResults: unknown[], counts: object = {}): unknown => ({
  numPassedTests: 3,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults,
  ...counts,
});

const journeys = (stats: object, suites: unknown[] = [], errors: unknown[] = []): unknown => ({
  stats: { expected: 3, unexpected: 0, flaky: 0, skipped: 0, ...stats },
  suites,
  errors,
});

describe('the counts of a run', () => {
  test('a successful step is counted without notes', () => {
    expect(countCheck({ code: 0, report: null })).toEqual({ passed: 1, failed: 0, notes: [] });
    expect(countUnits({ code: 0, report: units([]) })).toEqual({ passed: 3, failed: 0, notes: [] });
    expect(countJourneys({ code: 0, report: journeys({}) })).toEqual({ passed: 3, failed: 0, notes: [] });
  });

  test('a failed test is reported with its message', () => {
    const report = units(
      [
        {
          name: 'a.test.ts',
          status: 'failed',
          message: '',
          assertionResults: [
            { status: 'passed', fullName: 'adds' },
            { status: 'failed', fullName: 'subtracts', failureMessages: ['expected 1\n  to be 2'] },
          ],
        },
      ],
      { numFailedTests: 1 },
    );
    expect(countUnits({ code: 1, report })).toEqual({
      passed: 3,
      failed: 1,
      notes: ['FAILED a.test.ts subtracts: expected 1 to be 2'],
    });
  });

  test('a file whose setup failed is reported as a failure', () => {
    const broken = { name: 'b.test.ts', status: 'failed', message: 'no database', assertionResults: [] };
    expect(countUnits({ code: 1, report: units([broken]) })).toEqual({
      passed: 3,
      failed: 1,
      notes: ['FAILED b.test.ts: no database', 'exited with 1'],
    });
  });

  test('failed journeys in nested suites and errors outside of journeys are reported', () => {
    const spec = { title: 'pays', file: 'pay.spec.ts', ok: false };
    const result = { error: { message: 'no button' } };
    const suites = [{ specs: [], suites: [{ specs: [{ ...spec, tests: [{ results: [result] }] }] }] }];
    const report = journeys({ unexpected: 1 }, suites, [{ message: 'V1 broken' }]);
    expect(countJourneys({ code: 1, report })).toEqual({
      passed: 3,
      failed: 1,
      notes: ['FAILED pay.spec.ts pays: no button', 'FAILED outside a journey: V1 broken'],
    });
  });

  test('skipped, flaky and missing tests are failures', () => {
    expect(countUnits({ code: 0, report: units([], { numPendingTests: 2 }) }).failed).toBe(2);
    expect(countJourneys({ code: 0, report: journeys({ flaky: 1, skipped: 1 }) }).failed).toBe(2);
    expect(countUnits({ code: 0, report: units([], { numPassedTests: 0 }) }).failed).toBe(1);
    expect(countJourneys({ code: null, report: null })).toEqual({
      passed: 0,
      failed: 1,
      notes: ['wrote no report', 'exited with a signal'],
    });
  });
});
