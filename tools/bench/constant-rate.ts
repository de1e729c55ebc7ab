import { setTimeout as sleep } from 'node:timers/promises';

type Rate = { perSecond: number; seconds: number };

/** Calls `send` at a constant rate, independent of the results, so that slow responses do not reduce the load. */
export const atConstantRate = async <T>(
  { perSecond, seconds }: Rate,
  send: (index: number) => Promise<T>,
): Promise<T[]> => {
  const results: Promise<T>[] = [];
  const count = Math.round(perSecond * seconds);
  const startedAt = performance.now();
  while (results.length < count) {
    const due = Math.min(count, Math.ceil(((performance.now() - startedAt) / 1000) * perSecond));
    while (results.length < due) results.push(send(results.length));
    await sleep(1);
  }
  return Promise.all(results);
};
