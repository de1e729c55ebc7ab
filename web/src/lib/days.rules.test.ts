import { expect, it } from 'vitest';
import { addDays, countDays, dayRange, monthStart } from './days.rules.ts';

it('days are added across the ends of months, years and summer time', () => {
  expect(addDays('2026-02-28', 1)).toBe('2026-03-01');
  expect(addDays('2026-01-01', -1)).toBe('2025-12-31');
  expect(addDays('2026-10-25', 1)).toBe('2026-10-26');
});

it('a month begins with its first day, whatever the day and the number of months', () => {
  expect(monthStart('2026-11-29')).toBe('2026-11-01');
  expect(monthStart('2026-03-31', -1)).toBe('2026-02-01');
  expect(monthStart('2026-01-15', -13)).toBe('2024-12-01');
  expect(monthStart('2026-11-30', 2)).toBe('2027-01-01');
});

it('two days are a range in whichever order they were entered, and days that do not exist are ignored', () => {
  expect(dayRange('2026-11-09', '2026-11-01')).toEqual({ from: '2026-11-01', to: '2026-11-09' });
  expect(dayRange('2026-02-30', '2026-02-28')).toEqual({ to: '2026-02-28' });
  expect(dayRange(null, '')).toEqual({});
});

it('both ends of a range count', () => {
  expect(countDays({ from: '2026-11-01', to: '2026-11-01' })).toBe(1);
  expect(countDays({ from: '2026-10-01', to: '2026-11-29' })).toBe(60);
});
