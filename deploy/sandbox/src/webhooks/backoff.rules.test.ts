import { expect, test } from 'vitest';
import { nextAttemptAt } from './backoff.rules.ts';

test('the waiting times grow', () => {
  const waits = [1, 2, 3, 4, 8, 9].map((attempts) => nextAttemptAt({ firstAt: 0, attempts, now: 0 }));
  expect(waits).toEqual([1000, 5000, 30_000, 120_000, 43_200_000, 43_200_000]);
});

test('after three days nothing is tried any more', () => {
  expect(nextAttemptAt({ firstAt: 0, attempts: 9, now: 3 * 86_400_000 - 1 })).toBeNull();
});
