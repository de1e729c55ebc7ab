import { minutes } from '@shortlist/contracts/durations';
import { expect, test } from '@playwright/test';
import { isLongRun, seed } from '@shortlist/kit/testing/sample';
import { runDrill } from './drill.ts';

test(`after a database was set back and brought up to date, every invariant holds, seed ${seed}`, async () => {
  test.setTimeout(minutes(isLongRun ? 60 : 10));
  const lines: string[] = [];
  const breaches = await runDrill({ seed, rounds: isLongRun ? 6 : 1, print: (line) => lines.push(line) });
  expect(breaches, `seed ${seed}\n${lines.join('\n')}`).toEqual([]);
});
