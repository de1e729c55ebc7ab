import { describe, expect, it } from 'vitest';
import { DAY } from '../model/billing-cycle.rules.ts';
import { nextAttemptAt } from './backoff.rules.ts';

describe('webhook retry delays', () => {
  it('grow with each attempt', () => {
    const waits = [1, 2, 3, 4, 8, 9].map((attempts) => nextAttemptAt({ firstAt: 0, attempts, now: 0 }));
    expect(waits).toEqual([1000, 5000, 30_000, 120_000, 43_200_000, 43_200_000]);
  });

  it('end three days after the first attempt', () => {
    expect(nextAttemptAt({ firstAt: 0, attempts: 9, now: 3 * DAY * 1000 - 1 })).toBeNull();
  });
});
