import { describe, expect, it } from 'vitest';
import { formatMoney } from '../src/messages.ts';

const AMOUNTS = [0, 1, 99, 100, 5_900, 5_950, 123_456_789, -2_000];

/** The minor units that a text states: its digits are the amount, but for decimals that are zero and left out. */
const minorUnits = (text: string, amount: number): boolean => {
  const digits = Number(text.replaceAll(/[^\d]/g, ''));
  return [digits, digits * 10, digits * 100, digits * 1_000].includes(Math.abs(amount));
};

describe('an amount of money', () => {
  it.each([
    ['usd', 5_900, '$59.00'],
    ['USD', 5_950, '$59.50'],
    ['jpy', 5_900, '¥5,900'],
    ['kwd', 5_900, 'KWD 5.900'],
    ['huf', 5_900, 'HUF 59'],
    ['huf', 5_950, 'HUF 59.50'],
    ['isk', 150_000, 'ISK 1,500'],
    ['lak', 150_050, 'LAK 1,500.50'],
    ['eur', -5_900, '-€59.00'],
  ])('of %s %i reads %s', (currency, amount, text) => {
    expect(formatMoney({ amount, currency }).replaceAll('\u00a0', ' ')).toBe(text);
  });

  it.each([
    ['usd', 5_900, '$59'],
    ['usd', 5_950, '$59.50'],
    ['jpy', 5_950, '¥5,950'],
    ['kwd', 59_000, 'KWD 59'],
    ['kwd', 5_950, 'KWD 5.950'],
  ])('of %s %i is %s without needless decimals', (currency, amount, text) => {
    expect(formatMoney({ amount, currency }, { style: 'short' }).replaceAll('\u00a0', ' ')).toBe(text);
  });

  it('keeps every digit, in each currency of ISO 4217', () => {
    for (const currency of Intl.supportedValuesOf('currency'))
      for (const amount of AMOUNTS)
        for (const style of ['full', 'short'] as const) {
          const text = formatMoney({ amount, currency }, { style });
          expect(minorUnits(text, amount), `${amount} ${currency} reads ${text}`).toBe(true);
        }
  });
});
