import type { EarningsPeriod, EarningsView } from '@shortlist/contracts/api/admin-views';
import { LOCALE } from '@shortlist/contracts/messages';

export const PERIODS: readonly EarningsPeriod[] = ['week', 'month', 'year'];

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
  view.buckets.map(({ start }) => new Intl.DateTimeFormat(LOCALE, FORMATS[period]).format(new Date(start)));

export const longBucketName = (period: EarningsPeriod, start: string): string =>
  new Intl.DateTimeFormat(LOCALE, LONG_FORMATS[period]).format(new Date(start));
