/**
 * When a subscription renews. The start date is the billing cycle anchor. Each period ends on the anchor's day of the
 * month, or on the last day of a shorter month; the following period returns to the anchor's day (31 January,
 * 28 February, 31 March). The time of day is the anchor's, in UTC.
 * A failed renewal payment is retried on the given days after the first attempt; then the subscription ends.
 */
export type Interval = 'day' | 'week' | 'month' | 'year';

export type Cycle = {
  anchor: number;
  interval: Interval;
  intervalCount: number;
};

/** In seconds, as Stripe counts time. */
export const HOUR = 3_600;
export const DAY = 24 * HOUR;

const addMonths = (anchor: number, months: number): number => {
  const from = new Date(anchor * 1000);
  const lastDay = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months + 1, 0)).getUTCDate();
  const to = new Date(from);
  to.setUTCDate(1);
  to.setUTCMonth(from.getUTCMonth() + months);
  to.setUTCDate(Math.min(from.getUTCDate(), lastDay));
  return Math.floor(to.getTime() / 1000);
};

const monthsBetween = (anchor: number, moment: number): number => {
  const from = new Date(anchor * 1000);
  const to = new Date(moment * 1000);
  return (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
};

export const periodEndAfter = (cycle: Cycle, periodStart: number): number => {
  const { anchor, interval, intervalCount } = cycle;
  if (interval === 'day') return periodStart + intervalCount * DAY;
  if (interval === 'week') return periodStart + intervalCount * 7 * DAY;
  const months = interval === 'year' ? intervalCount * 12 : intervalCount;
  return addMonths(anchor, monthsBetween(anchor, periodStart) + months);
};

type Attempts = { firstAt: number; count: number; retryDays: readonly number[] };

/** Returns the time of the next attempt, or null after the last one. */
export const nextPaymentAttempt = ({ firstAt, count, retryDays }: Attempts): number | null => {
  const days = retryDays[count - 1];
  return days === undefined ? null : firstAt + days * DAY;
};
