import { expect, test } from '@playwright/test';
import { runFaults } from '../../tools/faults/fault-run.ts';

test('under kill -9, lost webhooks and a failing provider every invariant holds, and all is in order by itself afterwards', async () => {
  test.setTimeout(400_000);
  const seed = Math.floor(Math.random() * 1e9);
  const lines: string[] = [];
  const report = await runFaults({
    seed,
    rounds: 1,
    recruiters: 4,
    roundMs: 20_000,
    tell: (line) => lines.push(line),
  });
  expect(report.breaches, `seed ${seed}\n${lines.join('\n')}`).toEqual([]);
  expect(report.acked).toBeGreaterThan(10);
});
