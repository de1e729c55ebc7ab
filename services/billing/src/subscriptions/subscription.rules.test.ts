import fc from 'fast-check';
import { expect, it } from 'vitest';
import { nextMonth } from './subscription.rules.ts';

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
