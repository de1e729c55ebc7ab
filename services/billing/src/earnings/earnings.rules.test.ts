import { describe, expect, it } from 'vitest';
import { inCurrency, inOtherCurrencies } from './earnings.rules.ts';

const earned = (bucket: number, currency: string, earnings: number) => ({
  bucket,
  currency,
  earnings,
  expenses: 0,
  tax: 0,
});
const spent = (bucket: number, currency: string, expenses: number) => ({
  bucket,
  currency,
  earnings: 0,
  expenses,
  tax: 0,
});

describe('sums by bucket', () => {
  it('of one currency leave out every other, and add the rows of one bucket', () => {
    const rows = [
      earned(0, 'usd', 100),
      earned(0, 'eur', 7),
      earned(2, 'usd', 5),
      earned(2, 'usd', 6),
      spent(2, 'usd', 4),
    ];
    expect(inCurrency(rows, 'usd', 3)).toEqual([
      { earnings: 100, expenses: 0, tax: 0 },
      { earnings: 0, expenses: 0, tax: 0 },
      { earnings: 11, expenses: 4, tax: 0 },
    ]);
  });

  it('of other currencies are totals of their own', () => {
    const rows = [
      earned(0, 'usd', 100),
      earned(0, 'jpy', 900),
      earned(1, 'jpy', 100),
      spent(0, 'eur', 3),
      spent(1, 'eur', 4),
      earned(1, 'gbp', 0),
    ];
    expect(inOtherCurrencies(rows, 'usd')).toEqual([
      { currency: 'eur', earnings: 0, expenses: 7, tax: 0 },
      { currency: 'jpy', earnings: 1_000, expenses: 0, tax: 0 },
    ]);
  });
});
