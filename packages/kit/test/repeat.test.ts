import { expect, it } from 'vitest';
import { repeat } from '../src/process/clock.ts';
import { until } from '../src/testing/until.ts';

it('runs again after each run until it is stopped, and the stop waits for the current run', async () => {
  const hanging = Promise.withResolvers<void>();
  let started = 0;
  let ended = 0;
  const repetition = repeat(async () => {
    started += 1;
    if (started === 3) await hanging.promise;
    ended += 1;
    return 1;
  });
  await until('the third run to start', () => started === 3);
  const stopped = repetition.stop();
  hanging.resolve();
  await stopped;
  expect([started, ended]).toEqual([3, 3]);
});
