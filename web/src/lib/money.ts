import type { Price } from '@shortlist/contracts/api/billing';
import { formatMoney, LOCALE } from '@shortlist/contracts/messages';

/** Formats a price without needless decimals: 5900 → $59, 5950 → $59.50. */
export const shortPrice = (price: Price): string => formatMoney(price, { style: 'short' });

export const monthlyPrice = (price: Price): string => `${shortPrice(price)}/Month`;

/** Formats minor units: 5900 → $59.00. */
export const money = (amount: number, currency: string): string => formatMoney({ amount, currency });

/** Formats minor units for the axis of a chart: $2.4K. */
export const compactMoney = (amount: number, currency: string): string =>
  formatMoney({ amount, currency }, { style: 'compact' });

export const count = (figure: number): string => new Intl.NumberFormat(LOCALE).format(figure);
