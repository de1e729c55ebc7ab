import type { Price } from '@shortlist/contracts/api/public-plan';
import { LOCALE } from '@shortlist/contracts/messages';

/** Formats a price without needless decimals: 5900 → $59, 5950 → $59.50. */
export const shortPrice = ({ amount, currency }: Price): string =>
  new Intl.NumberFormat(LOCALE, {
    style: 'currency',
    currency: currency.toUpperCase(),
    minimumFractionDigits: amount % 100 === 0 ? 0 : 2,
  }).format(amount / 100);

export const monthlyPrice = (price: Price): string => `${shortPrice(price)}/Month`;

/** Formats minor units: 5900 → $59.00. */
export const money = (minor: number, currency: string): string =>
  new Intl.NumberFormat(LOCALE, { style: 'currency', currency: currency.toUpperCase() }).format(minor / 100);

/** Formats minor units for the axis of a chart: $2.4K. */
export const compactMoney = (minor: number, currency: string): string =>
  new Intl.NumberFormat(LOCALE, {
    style: 'currency',
    currency: currency.toUpperCase(),
    notation: 'compact',
    maximumFractionDigits: 1,
  }).format(minor / 100);

export const count = (figure: number): string => new Intl.NumberFormat(LOCALE).format(figure);
