// What an amount for a period of the plan comes to in one month. A month has 28 to 31 days, and a year twelve months.
import { days } from '@shortlist/contracts/durations';

const MONTH_MS = days(365.25 / 12);

/** In whole minor units. */
export const inOneMonth = (amount: number, { start, end }: { start: Date; end: Date }): number =>
  Math.round(amount / Math.max(1, Math.round((end.getTime() - start.getTime()) / MONTH_MS)));
