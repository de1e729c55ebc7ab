import { expect, it } from 'vitest';
import { strokesOf } from './last-day.rules.ts';

const halfHour = (start: string, change = {}) => ({
  ...{ start: `2026-11-20T${start}:00.000Z`, requests: 2_000, errors: 0, p95: 80, minutesDown: 0 },
  ...change,
});
const CHECKED = '2026-11-20T09:41:00.000Z';

it('a half hour is fine, had errors, was down, or is unknown', () => {
  const halfHours = [
    halfHour('07:00', { errors: 1 }), // one in two thousand
    halfHour('07:30', { errors: 2 }),
    halfHour('08:00', { minutesDown: 4 }),
    halfHour('08:30', { minutesDown: 5, errors: 9 }),
    halfHour('09:30', { requests: 0, p95: null }),
  ];
  const strokes = strokesOf({ requests: 8_000, errors: 12, p95: 80, halfHours }, CHECKED);
  expect(strokes).toHaveLength(48);
  expect(strokes.slice(-6).map(({ state }) => state)).toEqual([
    'fine',
    'errors',
    'fine',
    'down',
    'unknown',
    'fine',
  ]);
  expect(strokes.at(-1)?.start).toBe('2026-11-20T09:30:00.000Z');
});

it('nothing is known without a report', () => {
  expect(new Set(strokesOf(null, CHECKED).map(({ state }) => state))).toEqual(new Set(['unknown']));
});
