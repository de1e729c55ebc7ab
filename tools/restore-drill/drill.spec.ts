import { minutes } from '@shortlist/contracts/durations';
import { expect, test } from '@playwright/test';
import { isLongRun, seed } from '@shortlist/kit/testing/sample';
import { runDrill } from './drill.ts';

test(`after databases were set back and brought up to date, every invariant holds, seed ${seed}`, async () => {
  test.setTimeout(minutes(isLongRun ? 60 : 10));
  const lines: string[] = [];
  const rounds = isLongRun ? 6 : 1;
  const print = (line: string): number => lines.push(line);
  const breaches = await runDrill({ seed, rounds, losesKafka: isLongRun, print });
  expect(breaches, `seed ${seed}\n${lines.join('\n')}`).toEqual([]);
});
