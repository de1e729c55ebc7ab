import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until `is` returns true. Fails with `what` after `limitMs`, which only ends tests that hang. */
export const until = async (
  what: string,
  is: () => boolean | Promise<boolean>,
  limitMs = 60_000,
): Promise<void> => {
  const end = performance.now() + limitMs;
  while (!(await is())) {
    if (performance.now() > end) throw new Error(`not in time: ${what}`);
    await sleep(10);
  }
};
