import { describe, expect, it } from 'vitest';
import { grantDays, monthsUntil } from './grant-days.ts';

describe('the days of a grant', () => {
  it.each([
    ['2026-11-20T12:00:00', '2026-11-20', '2026-12-20', '2027-11-20'],
    ['2026-01-31T12:00:00', '2026-01-31', '2026-02-28', '2027-01-31'],
    ['2028-02-29T12:00:00', '2028-02-29', '2028-03-29', '2029-02-28'],
    ['2026-12-31T12:00:00', '2026-12-31', '2027-01-31', '2027-12-31'],
  ])('from %s are %s, at first %s, to %s', (time, first, initial, last) => {
    expect(grantDays(new Date(time).getTime())).toEqual({ first, initial, last });
  });

  it.each([
    ['2026-01-31', 1],
    ['2026-02-28', 1],
    ['2026-03-02', 2],
    ['2026-03-31', 2],
    ['2026-04-30', 3],
    ['2026-12-30', 11],
    ['2027-01-31', 12],
  ])('from January 31 to %s have %i months with credits', (day, months) => {
    expect(monthsUntil(day, new Date('2026-01-31T12:00:00').getTime())).toBe(months);
  });
});
