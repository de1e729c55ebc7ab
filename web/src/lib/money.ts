import type { PlanDiscount, Price } from '@shortlist/contracts/api/billing';
import type { Interval } from '@shortlist/contracts/plan';
import { formatMoney, LOCALE } from '@shortlist/contracts/messages';

/** Formats a price without needless decimals: 5900 → $59, 5950 → $59.50. */
export const shortPrice = (price: Price): string => formatMoney(price, { style: 'short' });

/** A price with how often it is charged: $59/Month. */
export const planPrice = (price: Price, interval: Interval = 'month'): string =>
  interval === 'year' ? `${shortPrice(price)}/Year` : `${shortPrice(price)}/Month`;

/** What a discount takes off a charge: 20%, or $10. */
export const reduction = ({ percentOff, amountOff, currency }: PlanDiscount): string =>
  percentOff === null ? shortPrice({ amount: amountOff ?? 0, currency: currency ?? '' }) : `${percentOff}%`;

/** Formats minor units: 5900 → $59.00. */
export const money = (amount: number, currency: string): string => formatMoney({ amount, currency });

/** Formats minor units for the axis of a chart: $2.4K. */
export const compactMoney = (amount: number, currency: string): string =>
  formatMoney({ amount, currency }, { style: 'compact' });

type Format = (amount: number, currency: string) => string;

/** With the minus sign of the texts, which is as wide as a digit. */
const signed =
  (format: Format): Format =>
  (amount, currency) =>
    amount < 0 ? `−${format(-amount, currency)}` : format(amount, currency);

export const signedMoney = signed(money);
export const signedCompactMoney = signed(compactMoney);

export const count = (figure: number): string => new Intl.NumberFormat(LOCALE).format(figure);

/** Formats a share of a whole. One that would read as nothing, or as all of it, is less than that: <1%, >99%. */
export const percent = (share: number, decimals = 0): string => {
  const format = new Intl.NumberFormat(LOCALE, { style: 'percent', maximumFractionDigits: decimals });
  const least = 0.01 / 10 ** decimals;
  if (share > 0 && share < least / 2) return `<${format.format(least)}`;
  const isAlmostAll = share < 1 && share >= 1 - least / 2;
  return isAlmostAll ? `>${format.format(1 - least)}` : format.format(share);
};
