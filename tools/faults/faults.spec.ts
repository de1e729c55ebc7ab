import { expect, test } from '@playwright/test';
import { isLongRun, seed } from '@shortlist/kit/testing/sample';
import { runFaults } from './fault-run.ts';

const RECRUITERS = 4;

test(`under kill -9, lost webhooks and provider failures every invariant holds, and the system recovers by itself, seed ${seed}`, async () => {
  test.setTimeout(isLongRun ? 1_200_000 : 400_000);
  const lines: string[] = [];
  const report = await runFaults({
    seed,
    rounds: isLongRun ? 5 : 1,
    recruiters: RECRUITERS,
    roundMs: 20_000,
    print: (line) => lines.push(line),
  });
  expect(report.breaches, `seed ${seed}\n${lines.join('\n')}`).toEqual([]);
  // A busy machine does little in a round; each recruiter has done something.
  expect(report.acked).toBeGreaterThan(RECRUITERS);
});
