import { expect, it } from 'vitest';
import { countJourneys, type JourneyReport } from '../suite/count-results.ts';

it('the last lines of a run name what the machine lacks for its journeys, once each', () => {
  const spec = (description?: string): JourneyReport['suites'][number]['specs'][number] => ({
    title: 'A journey',
    file: 'a.spec.ts',
    ok: true,
    tests: [
      {
        annotations: description === undefined ? [] : [{ type: 'not run', description }],
        results: [{ duration: 1 }],
      },
    ],
  });
  const report: JourneyReport = {
    stats: { expected: 4, unexpected: 0, flaky: 0, skipped: 0 },
    suites: [
      {
        title: '',
        specs: [spec()],
        suites: [{ title: '', specs: [spec('no Chromium'), spec('no Chromium'), spec('no Python')] }],
      },
    ],
    errors: [],
  };
  expect(countJourneys({ code: 0, report })).toEqual({
    passed: 4,
    failed: 0,
    notes: ['NOT RUN: no Chromium', 'NOT RUN: no Python'],
  });
});
