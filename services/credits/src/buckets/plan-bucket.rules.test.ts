import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { thresholdReached } from './plan-bucket.rules.ts';

describe('a charge reaches', () => {
  it.each([
    [20, 5, 1, null],
    [20, 4, 1, 80],
    [20, 3, 1, null],
    [20, 3, 2, 80],
    [20, 1, 19, 80],
    [20, 0, 1, 100],
    [20, 0, 20, 100],
    [500, 101, 100, null],
    [500, 100, 100, 80],
    [500, 1, 100, 80],
    [500, 0, 100, 100],
    [7, 2, 1, null],
    [7, 1, 1, 80],
    [1, 0, 1, 100],
    // Beside a pack.
    [500, 250, 100, null],
    [500, 100, 1, 80],
  ])('of %i credits with %i left after a charge of %i: %j', (limit, left, amount, expected) => {
    expect(thresholdReached(limit, left, amount)).toBe(expected);
  });

  it('80 percent at most once and 100 percent once when charges use up a bucket', () => {
    const charges = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(charges, (amounts) => {
        const limit = amounts.reduce((sum, amount) => sum + amount, 0);
        let left = limit;
        const reached = amounts.map((amount) => {
          left -= amount;
          return thresholdReached(limit, left, amount);
        });
        expect(reached.at(-1)).toBe(100);
        expect(reached.filter((threshold) => threshold === 100)).toHaveLength(1);
        expect(reached.filter((threshold) => threshold === 80).length).toBeLessThanOrEqual(1);
      }),
    );
  });
});
