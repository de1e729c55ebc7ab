import type { EarningsPeriod, EarningsView } from '@shortlist/contracts/api/public';

export const PERIODS: readonly (readonly [EarningsPeriod, string])[] = [
  ['week', 'This Week'],
  ['month', 'This Month'],
  ['year', 'This Year'],
];

const FORMATS: Record<EarningsPeriod, Intl.DateTimeFormatOptions> = {
  week: { weekday: 'short' },
  month: { day: 'numeric' },
  year: { month: 'short' },
};

const LONG_FORMATS: Record<EarningsPeriod, Intl.DateTimeFormatOptions> = {
  week: { weekday: 'long', month: 'long', day: 'numeric' },
  month: { month: 'long', day: 'numeric' },
  year: { month: 'long', year: 'numeric' },
};

/** Short labels for the chart's time axis, in the viewer's time zone. */
export const bucketNames = (period: EarningsPeriod, view: EarningsView): string[] =>
  view.buckets.map(({ start }) => new Intl.DateTimeFormat('en-US', FORMATS[period]).format(new Date(start)));

export const longBucketName = (period: EarningsPeriod, start: string): string =>
  new Intl.DateTimeFormat('en-US', LONG_FORMATS[period]).format(new Date(start));
