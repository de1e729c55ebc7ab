import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { thresholdReached } from './warning.rules.ts';

describe('a charge reaches', () => {
  it.each([
    [{ limit: 20, used: 15, amount: 1 }, null],
    [{ limit: 20, used: 16, amount: 1 }, 80],
    [{ limit: 20, used: 17, amount: 1 }, null],
    [{ limit: 20, used: 17, amount: 2 }, 80],
    [{ limit: 20, used: 19, amount: 19 }, 80],
    [{ limit: 20, used: 20, amount: 1 }, 100],
    [{ limit: 20, used: 20, amount: 20 }, 100],
    [{ limit: 500, used: 399, amount: 100 }, null],
    [{ limit: 500, used: 400, amount: 100 }, 80],
    [{ limit: 500, used: 499, amount: 100 }, 80],
    [{ limit: 500, used: 500, amount: 100 }, 100],
    [{ limit: 7, used: 5, amount: 1 }, null],
    [{ limit: 7, used: 6, amount: 1 }, 80],
    [{ limit: 1, used: 1, amount: 1 }, 100],
  ])('with its use after it, %j: %j', (charge, expected) => {
    expect(thresholdReached(charge)).toBe(expected);
  });

  it('80 percent at most once and 100 percent once when charges fill a window', () => {
    const charges = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(charges, (amounts) => {
        const limit = amounts.reduce((sum, amount) => sum + amount, 0);
        let used = 0;
        const reached = amounts.map((amount) => {
          used += amount;
          return thresholdReached({ limit, used, amount });
        });
        expect(reached.at(-1)).toBe(100);
        expect(reached.filter((threshold) => threshold === 100)).toHaveLength(1);
        expect(reached.filter((threshold) => threshold === 80).length).toBeLessThanOrEqual(1);
      }),
    );
  });
});
