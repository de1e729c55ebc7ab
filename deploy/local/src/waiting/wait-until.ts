import { setTimeout as sleep } from 'node:timers/promises';

type WaitUntilOptions = { limitMs: number; everyMs?: number; giveUp?: () => boolean };

/** Polls until `isTrue` resolves with true. Returns false after `limitMs`, or as soon as `giveUp` returns true. */
export const waitUntil = async (
  isTrue: () => Promise<boolean>,
  options: WaitUntilOptions,
): Promise<boolean> => {
  const { limitMs, everyMs = 100, giveUp = () => false } = options;
  const end = performance.now() + limitMs;
  while (performance.now() < end) {
    if (await isTrue()) return true;
    if (giveUp()) return false;
    await sleep(everyMs);
  }
  return false;
};
