import { PRICE_MINOR } from '@shortlist/contracts/limits';

/** The price of the plan, in the specification's form. */
export const PRICE_LABEL = `$${PRICE_MINOR / 100}/Month`;

/** Formats minor units: 5900 → $59.00. */
export const money = (minor: number, currency: string): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency: currency.toUpperCase() }).format(minor / 100);

/** Formats minor units for the axis of a chart: $2.4K. */
export const compactMoney = (minor: number, currency: string): string =>
  new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency: currency.toUpperCase(),
    notation: 'compact',
    maximumFractionDigits: 1,
  }).format(minor / 100);

export const count = (figure: number): string => new Intl.NumberFormat('en-US').format(figure);

const NUMERALS = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
];

/** 6 → six; figures from thirteen on. */
export const spelledOut = (figure: number): string => NUMERALS[figure] ?? count(figure);
