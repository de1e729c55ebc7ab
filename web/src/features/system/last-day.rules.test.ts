import { expect, it } from 'vitest';
import { strokesOf } from './last-day.rules.ts';

const hour = (start: string, change = {}) => ({
  ...{ start: `2026-11-20T${start}:00:00.000Z`, requests: 2_000, errors: 0, p95: 80, minutesDown: 0 },
  ...change,
});
const CHECKED = '2026-11-20T09:41:00.000Z';

it('an hour is fine, had errors, was down, or is unknown', () => {
  const hours = [
    hour('04', { errors: 1 }), // one in two thousand
    hour('05', { errors: 2 }),
    hour('06', { minutesDown: 4 }),
    hour('07', { minutesDown: 5, errors: 9 }),
    hour('09', { requests: 0, p95: null }),
  ];
  const strokes = strokesOf({ requests: 8_000, errors: 12, p95: 80, hours }, CHECKED);
  expect(strokes).toHaveLength(24);
  expect(strokes.slice(-6).map(({ state }) => state)).toEqual([
    'fine',
    'errors',
    'fine',
    'down',
    'unknown',
    'fine',
  ]);
  expect(strokes.at(-1)?.start).toBe('2026-11-20T09:00:00.000Z');
});

it('nothing is known without a report', () => {
  expect(new Set(strokesOf(null, CHECKED).map(({ state }) => state))).toEqual(new Set(['unknown']));
});
