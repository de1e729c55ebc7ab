// Amounts are whole numbers of the payment provider's minor unit: 5900 is $59.00, but ¥5,900. How many decimals that unit has is the
// provider's rule and differs from the customary display of some currencies: 5900 is HUF 59, which is shown without decimals. Source:
// https://docs.stripe.com/currencies#minor-units
import { LOCALE } from './messages.ts';

const WITHOUT_DECIMALS = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '));
const WITH_THREE_DECIMALS = new Set('BHD JOD KWD OMR TND'.split(' '));

const decimalsOf = (code: string): number => {
  if (WITHOUT_DECIMALS.has(code)) return 0;
  return WITH_THREE_DECIMALS.has(code) ? 3 : 2;
};

export type MoneyStyle = {
  /** `short` leaves out decimals that are zero: $59; `compact` is for the axis of a chart: $2.4K. */
  style?: 'full' | 'short' | 'compact';
};

/** Formats an amount in minor units in the currency with this ISO code, in any case of letters: 5900 is $59.00. No part is rounded away. */
export const formatMoney = (
  { amount, currency }: { amount: number; currency: string },
  { style = 'full' }: MoneyStyle = {},
): string => {
  const code = currency.toUpperCase();
  const decimals = decimalsOf(code);
  const value = amount / 10 ** decimals;
  const base = { style: 'currency', currency: code } as const;
  if (style === 'compact')
    return new Intl.NumberFormat(LOCALE, { ...base, notation: 'compact', maximumFractionDigits: 1 }).format(
      value,
    );
  const isWhole = Number.isInteger(value);
  const customary = new Intl.NumberFormat(LOCALE, base).resolvedOptions().maximumFractionDigits ?? decimals;
  const least = style === 'short' ? 0 : Math.min(customary, decimals);
  const digits = isWhole ? least : decimals;
  return new Intl.NumberFormat(LOCALE, {
    ...base,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(value);
};
