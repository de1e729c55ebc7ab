import { days, hours } from '@shortlist/contracts/durations';
import { expect, it } from 'vitest';
import { boundariesOf, comparedWith, lengthOf } from './period.rules.ts';

const of = (from: string, to: string) => ({ from, to });

it.each([
  ['a month with the one before', of('2026-03-01', '2026-03-31'), of('2026-02-01', '2026-02-28')],
  ['a short month with the whole one before', of('2026-02-01', '2026-02-28'), of('2026-01-01', '2026-01-31')],
  [
    'a month that is not over with the same days',
    of('2026-11-01', '2026-11-21'),
    of('2026-10-01', '2026-10-21'),
  ],
  [
    'the 30th with the last day of a shorter month',
    of('2026-03-01', '2026-03-30'),
    of('2026-02-01', '2026-02-28'),
  ],
  ['a quarter with the one before', of('2026-01-01', '2026-03-31'), of('2025-10-01', '2025-12-31')],
  ['a year with the one before', of('2026-01-01', '2026-12-31'), of('2025-01-01', '2025-12-31')],
  ['any other days with as many before', of('2026-03-05', '2026-03-11'), of('2026-02-26', '2026-03-04')],
])('the period before compares %s', (_, range, before) => {
  expect(comparedWith(range, 'previous')).toEqual(before);
});

it('the year before has the same days, and the last of February where there is no 29th', () => {
  expect(comparedWith(of('2028-02-10', '2028-02-29'), 'year')).toEqual(of('2027-02-10', '2027-02-28'));
  expect(comparedWith(of('2027-02-01', '2027-02-28'), 'year')).toEqual(of('2026-02-01', '2026-02-28'));
  // Whole months stay whole, although a leap year has one day more.
  expect(comparedWith(of('2029-02-01', '2029-02-28'), 'year')).toEqual(of('2028-02-01', '2028-02-29'));
  expect(comparedWith(of('2028-02-01', '2028-02-29'), 'none')).toBeNull();
});

it('the length of a range counts both of its days', () => {
  expect(lengthOf(of('2026-03-01', '2026-03-01'))).toBe(1);
  expect(lengthOf(of('2026-03-01', '2026-03-31'))).toBe(31);
  expect(lengthOf(of('2026-03-02', '2026-03-01'))).toBe(0);
});

const boundaries = (range: { from: string; to: string }, step: 'day' | 'week' | 'month', timeZone: string) =>
  boundariesOf(range, { step, timeZone, max: 366 });

it('a day is shorter or longer where clocks change, and every range ends where the next one begins', () => {
  const lengths = (range: { from: string; to: string }, zone: string): number[] => {
    const times = boundaries(range, 'day', zone).map((date) => date.getTime());
    return times.slice(1).map((time, index) => (time - (times[index] ?? 0)) / hours(1));
  };
  expect(lengths(of('2026-03-28', '2026-03-30'), 'Europe/Berlin')).toEqual([24, 23, 24]);
  expect(lengths(of('2026-10-24', '2026-10-26'), 'Europe/Berlin')).toEqual([24, 25, 24]);
  expect(lengths(of('2026-10-03', '2026-10-05'), 'Australia/Lord_Howe')).toEqual([24, 23.5, 24]);
  expect(lengths(of('2026-09-05', '2026-09-07'), 'America/Santiago')).toEqual([24, 23, 24]);
  const [march, april] = [
    boundaries(of('2026-03-01', '2026-03-31'), 'month', 'America/New_York'),
    boundaries(of('2026-04-01', '2026-04-30'), 'month', 'America/New_York'),
  ];
  expect(march.at(-1)).toEqual(april[0]);
  expect(march[0]?.toISOString()).toBe('2026-03-01T05:00:00.000Z');
  expect(april[0]?.toISOString()).toBe('2026-04-01T04:00:00.000Z');
});

it('weeks begin on Mondays, and the first and the last step are cut at the ends of the range', () => {
  const weeks = boundaries(of('2026-03-04', '2026-03-17'), 'week', 'UTC').map((date) => date.toISOString());
  expect(weeks.map((text) => text.slice(0, 10))).toEqual([
    '2026-03-04',
    '2026-03-09',
    '2026-03-16',
    '2026-03-18',
  ]);
  const months = boundaries(of('2026-01-15', '2026-03-02'), 'month', 'UTC').map((date) => date.toISOString());
  expect(months.map((text) => text.slice(0, 10))).toEqual([
    '2026-01-15',
    '2026-02-01',
    '2026-03-01',
    '2026-03-03',
  ]);
});

it('a range of more steps than allowed is not divided to its end', () => {
  const all = boundariesOf(of('2000-01-01', '2999-12-31'), { step: 'day', timeZone: 'UTC', max: 366 });
  expect(all).toHaveLength(368);
  expect((all[1]?.getTime() ?? 0) - (all[0]?.getTime() ?? 0)).toBe(days(1));
});
