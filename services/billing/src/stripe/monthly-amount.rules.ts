// How many months a period of the plan has, and what an amount for it comes to in one. A month has 28 to 31 days, and a year twelve months.
import { days } from '@shortlist/contracts/durations';

const MONTH_MS = days(365.25 / 12);

type Period = { start: Date; end: Date };

export const monthsIn = ({ start, end }: Period): number =>
  Math.max(1, Math.round((end.getTime() - start.getTime()) / MONTH_MS));

/** In whole minor units. */
export const inOneMonth = (amount: number, period: Period): number => Math.round(amount / monthsIn(period));
