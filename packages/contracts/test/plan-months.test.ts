import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { days, hours, monthsAfter } from '../src/durations.ts';
import { GRANT_MONTHS_MAX } from '../src/limits.ts';
import { grantEndAt, grantMonths, nextMonth } from '../src/plan-months.ts';

it.each([
  ['2026-01-31T10:00:00.000Z', '2026-02-28T10:00:00.000Z'],
  ['2028-01-31T10:00:00.000Z', '2028-02-29T10:00:00.000Z'],
  ['2026-02-28T10:00:00.000Z', '2026-03-28T10:00:00.000Z'],
  ['2026-03-31T23:59:59.999Z', '2026-04-30T23:59:59.999Z'],
  ['2026-03-29T01:30:00.000Z', '2026-04-29T01:30:00.000Z'],
  ['2026-12-31T00:00:00.000Z', '2027-01-31T00:00:00.000Z'],
])('F12 a month from %s is %s', (from, to) => {
  expect(nextMonth(new Date(from)).toISOString()).toBe(to);
});

it('F12 a month later is always in the next calendar month, at the same time of day', () => {
  const days = { min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true };
  fc.assert(
    fc.property(fc.date(days), (from) => {
      const to = nextMonth(from);
      const months = (date: Date): number => date.getUTCFullYear() * 12 + date.getUTCMonth();
      expect(months(to)).toBe(months(from) + 1);
      expect(to.toISOString().slice(10)).toBe(from.toISOString().slice(10));
      expect(to.getUTCDate()).toBeLessThanOrEqual(from.getUTCDate());
    }),
  );
});

describe('the end of a grant', () => {
  const now = new Date('2026-01-31T10:00:00.000Z');
  const end = (until?: string) => grantEndAt(until, now)?.toISOString() ?? null;

  it('is a month from now unless it is given', () => {
    expect(end()).toBe('2026-02-28T10:00:00.000Z');
  });

  it.each([
    ['the next moment', '2026-01-31T10:00:00.001Z', '2026-01-31T10:00:00.001Z'],
    ['a month', '2026-02-28T10:00:00.000Z', '2026-02-28T10:00:00.000Z'],
    ['a moment more', '2026-02-28T10:00:00.001Z', '2026-02-28T10:00:00.000Z'],
    ['the end of its last day in Honolulu', '2026-03-01T09:59:59.999Z', '2026-02-28T10:00:00.000Z'],
    ['a day that has 25 hours', '2026-03-01T10:59:59.999Z', '2026-02-28T10:00:00.000Z'],
    ['a day of the second month', '2026-03-01T11:00:00.000Z', '2026-03-01T11:00:00.000Z'],
    ['three months, on a shorter day', '2026-04-30T23:59:59.999Z', '2026-04-30T10:00:00.000Z'],
    ['exactly twelve months', '2027-01-31T10:00:00.000Z', '2027-01-31T10:00:00.000Z'],
    ['a moment more than twelve', '2027-01-31T10:00:00.001Z', '2027-01-31T10:00:00.000Z'],
    ['the end of the last day', '2027-02-01T10:59:59.999Z', '2027-01-31T10:00:00.000Z'],
    ['a day after the last one', '2027-02-01T11:00:00.000Z', null],
    ['a year too many', '2028-01-31T10:00:00.000Z', null],
    ['the end of time', '9999-12-31T23:59:59.999Z', null],
    ['now', '2026-01-31T10:00:00.000Z', null],
    ['a moment ago', '2026-01-31T09:59:59.999Z', null],
  ])('of a grant until %s (%s) is %s', (_when, until, expected) => {
    expect(end(until)).toBe(expected);
  });

  const times = {
    min: new Date('2026-01-01'),
    max: new Date('2033-01-01'),
    noInvalidDate: true,
  };

  it('is the end of the month, and no further, for a day on which a month ends, in every time zone', () => {
    const months = fc.integer({ min: 1, max: GRANT_MONTHS_MAX });
    fc.assert(
      fc.property(fc.date(times), fc.integer({ min: -12, max: 14 }), months, (from, zone, count) => {
        const whole = monthsAfter(from, count);
        const there = new Date(whole.getTime() + hours(zone)).toISOString().slice(0, 10);
        const midnight = Date.parse(`${there}T23:59:59.999Z`) - hours(zone);
        expect(grantEndAt(new Date(midnight).toISOString(), from)).toEqual(whole);
      }),
    );
  });

  it('is never later than chosen nor a whole day earlier, also when it is worked out again for a job', () => {
    const ahead = fc.integer({ min: 1, max: days(366) });
    fc.assert(
      fc.property(fc.date(times), ahead, fc.integer({ min: 0, max: 60_000 }), (from, ms, laterMs) => {
        const until = new Date(from.getTime() + ms);
        const found = grantEndAt(until.toISOString(), from);
        if (found === null) return expect(until > monthsAfter(from, GRANT_MONTHS_MAX)).toBe(true);
        expect(found <= until && until.getTime() - found.getTime() < hours(25)).toBe(true);
        const later = new Date(from.getTime() + laterMs);
        const again = later < found ? grantEndAt(found.toISOString(), later) : found;
        expect(again !== null && again <= found && found.getTime() - again.getTime() < hours(25)).toBe(true);
      }),
    );
  });
});

it.each([
  ['2026-02-28T10:00:00.000Z', 1],
  ['2026-02-28T10:00:00.001Z', 2],
  ['2026-03-31T10:00:00.000Z', 2],
  ['2027-01-31T10:00:00.000Z', 12],
  ['2027-01-31T10:00:00.001Z', 13],
  ['2999-01-31T10:00:00.001Z', 13],
])('a grant from 31 January to %s has %i months', (end, months) => {
  expect(grantMonths(new Date('2026-01-31T10:00:00.000Z'), new Date(end))).toBe(months);
});
