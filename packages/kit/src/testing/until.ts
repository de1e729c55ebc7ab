import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until `is` returns true; fails with `what` after `limitMs`, which ends a test that hangs and measures no speed. */
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
