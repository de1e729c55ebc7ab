import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY, nextPaymentAttempt, periodEndAfter, type Interval } from './billing-cycle.rules.ts';

const seconds = (text: string) => Date.parse(text) / 1000;

const periodEnds = (start: string, interval: Interval, count: number): string[] => {
  const cycle = { anchor: seconds(start), interval, intervalCount: 1 };
  const results: string[] = [];
  let at = cycle.anchor;
  while (results.length < count) {
    at = periodEndAfter(cycle, at);
    results.push(new Date(at * 1000).toISOString().slice(0, 16));
  }
  return results;
};

describe('billing periods', () => {
  it('a monthly period ends on the same day and time of the next month', () => {
    expect(periodEnds('2026-11-20T09:41:00Z', 'month', 2)).toEqual(['2026-12-20T09:41', '2027-01-20T09:41']);
  });

  it('a cycle anchored on the 31st uses the last day of shorter months and returns to the 31st', () => {
    expect(periodEnds('2026-12-31T23:59:00Z', 'month', 4)).toEqual([
      '2027-01-31T23:59',
      '2027-02-28T23:59',
      '2027-03-31T23:59',
      '2027-04-30T23:59',
    ]);
  });

  it('a cycle anchored on the 30th uses 29 February in a leap year', () => {
    expect(periodEnds('2028-01-30T00:00:00Z', 'month', 2)).toEqual(['2028-02-29T00:00', '2028-03-30T00:00']);
  });

  it('a yearly cycle anchored on 29 February uses 28 February until the next leap year', () => {
    expect(periodEnds('2028-02-29T12:00:00Z', 'year', 4)).toEqual([
      '2029-02-28T12:00',
      '2030-02-28T12:00',
      '2031-02-28T12:00',
      '2032-02-29T12:00',
    ]);
  });

  it('daily and weekly periods have a fixed length', () => {
    expect(periodEnds('2026-03-28T01:30:00Z', 'day', 2)).toEqual(['2026-03-29T01:30', '2026-03-30T01:30']);
    expect(periodEnds('2026-03-28T01:30:00Z', 'week', 1)).toEqual(['2026-04-04T01:30']);
  });

  it('monthly periods are 28 to 31 days long and contiguous', () => {
    const dates = fc.date({ min: new Date('2020-01-01'), max: new Date('2060-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(dates, fc.integer({ min: 1, max: 30 }), (date, periods) => {
        const cycle = {
          anchor: Math.floor(date.getTime() / 1000),
          interval: 'month',
          intervalCount: 1,
        } as const;
        let start = cycle.anchor;
        for (let period = 0; period < periods; period += 1) {
          const end = periodEndAfter(cycle, start);
          const days = (end - start) / DAY;
          expect(days).toBeGreaterThanOrEqual(28);
          expect(days).toBeLessThanOrEqual(31);
          start = end;
        }
      }),
    );
  });
});

describe('payment retries', () => {
  it('a failed payment is retried on the given days after the first attempt', () => {
    const days = [1, 2, 3, 4].map((count) => nextPaymentAttempt({ firstAt: 0, count, retryDays: [3, 5, 7] }));
    expect(days).toEqual([3 * DAY, 5 * DAY, 7 * DAY, null]);
  });
});
