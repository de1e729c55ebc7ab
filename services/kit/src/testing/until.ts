import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits until `is` says yes; after `limitMs` the test fails with what was waited for. The limit is far above what a
 * quiet machine needs: it ends what hangs and says nothing of speed.
 */
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
