import { setTimeout as sleep } from 'node:timers/promises';

type Waiting = { limitMs: number; everyMs?: number; give?: () => boolean };

/** Asks until the answer is yes. False when the time is over or `give` says that waiting has no sense. */
export const waitUntil = async (isTrue: () => Promise<boolean>, waiting: Waiting): Promise<boolean> => {
  const { limitMs, everyMs = 100, give = () => false } = waiting;
  const end = performance.now() + limitMs;
  while (performance.now() < end) {
    if (await isTrue()) return true;
    if (give()) return false;
    await sleep(everyMs);
  }
  return false;
};
