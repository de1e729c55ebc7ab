import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { thresholdReached } from './window.rules.ts';

describe('a charge reaches', () => {
  it.each([
    [{ limit: 20, left: 5, amount: 1 }, null],
    [{ limit: 20, left: 4, amount: 1 }, 80],
    [{ limit: 20, left: 3, amount: 1 }, null],
    [{ limit: 20, left: 3, amount: 2 }, 80],
    [{ limit: 20, left: 1, amount: 19 }, 80],
    [{ limit: 20, left: 0, amount: 1 }, 100],
    [{ limit: 20, left: 0, amount: 20 }, 100],
    [{ limit: 500, left: 101, amount: 100 }, null],
    [{ limit: 500, left: 100, amount: 100 }, 80],
    [{ limit: 500, left: 1, amount: 100 }, 80],
    [{ limit: 500, left: 0, amount: 100 }, 100],
    [{ limit: 7, left: 2, amount: 1 }, null],
    [{ limit: 7, left: 1, amount: 1 }, 80],
    [{ limit: 1, left: 0, amount: 1 }, 100],
    // Of a window and a pack.
    [{ limit: 500, left: 250, amount: 100 }, null],
    [{ limit: 500, left: 100, amount: 1 }, 80],
  ])('with what is left after it, %j: %j', (charge, expected) => {
    expect(thresholdReached(charge)).toBe(expected);
  });

  it('80 percent at most once and 100 percent once when charges fill a window', () => {
    const charges = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(charges, (amounts) => {
        const limit = amounts.reduce((sum, amount) => sum + amount, 0);
        let left = limit;
        const reached = amounts.map((amount) => {
          left -= amount;
          return thresholdReached({ limit, left, amount });
        });
        expect(reached.at(-1)).toBe(100);
        expect(reached.filter((threshold) => threshold === 100)).toHaveLength(1);
        expect(reached.filter((threshold) => threshold === 80).length).toBeLessThanOrEqual(1);
      }),
    );
  });
});
