import { expect, test } from '@playwright/test';
import { isLongRun, seed } from '@shortlist/kit/testing/sample';
import { runFaults } from './fault-run.ts';

test(`under kill -9, lost webhooks and provider failures every invariant holds, and the system recovers by itself, seed ${seed}`, async () => {
  test.setTimeout(isLongRun ? 1_200_000 : 400_000);
  const lines: string[] = [];
  const report = await runFaults({
    seed,
    rounds: isLongRun ? 5 : 1,
    recruiters: 4,
    roundMs: 20_000,
    print: (line) => lines.push(line),
  });
  expect(report.breaches, `seed ${seed}\n${lines.join('\n')}`).toEqual([]);
  expect(report.acked).toBeGreaterThan(10);
});
