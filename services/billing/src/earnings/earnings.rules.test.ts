import { describe, expect, it } from 'vitest';
import { inCurrency, inOtherCurrencies } from './earnings.rules.ts';

const row = (bucket: number, currency: string, total: number) => ({ bucket, currency, total });

describe('sums by bucket', () => {
  it('of one currency leave out every other, and add the rows of one bucket', () => {
    const rows = [row(0, 'usd', 100), row(0, 'eur', 7), row(2, 'usd', 5), row(2, 'usd', 6)];
    expect(inCurrency(rows, 'usd', 3)).toEqual([100, 0, 11]);
  });

  it('of other currencies are totals of their own', () => {
    const earnings = [row(0, 'usd', 100), row(0, 'jpy', 900), row(1, 'jpy', 100)];
    const expenses = [row(0, 'eur', 3), row(1, 'eur', 4), row(1, 'gbp', 0)];
    expect(inOtherCurrencies({ earnings, expenses }, 'usd')).toEqual([
      { currency: 'eur', earnings: 0, expenses: 7 },
      { currency: 'jpy', earnings: 1_000, expenses: 0 },
    ]);
  });
});
