import { PRICE_MINOR } from '@shortlist/contracts/limits';

/** What the plan costs, as the specification writes it. */
export const PRICE_LABEL = `$${PRICE_MINOR / 100}/Month`;

/** Minor units as a person reads them: 5900 → $59.00. */
export const money = (minor: number, currency: string): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency: currency.toUpperCase() }).format(minor / 100);

/** For the axis of a chart: $2.4K. */
export const compactMoney = (minor: number, currency: string): string =>
  new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency: currency.toUpperCase(),
    notation: 'compact',
    maximumFractionDigits: 1,
  }).format(minor / 100);

export const count = (figure: number): string => new Intl.NumberFormat('en-US').format(figure);
