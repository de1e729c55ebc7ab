import { expect, it } from 'vitest';
import { usagePeriod } from './usage-period.ts';

const NOW = new Date('2026-03-15T23:59:59.999Z');
const at = (day: string): Date => new Date(`${day}T00:00:00.000Z`);

it.each([
  ['of no days is the last thirty', {}, ['2026-02-14', '2026-03-16']],
  ['of a first day goes on until today', { from: '2026-03-01' }, ['2026-03-01', '2026-03-16']],
  ['of a last day has thirty days', { to: '2026-01-31' }, ['2026-01-02', '2026-02-01']],
  ['of one day has its 24 hours', { from: '2026-03-29', to: '2026-03-29' }, ['2026-03-29', '2026-03-30']],
  ['of 366 days is allowed', { from: '2025-03-15' }, ['2025-03-15', '2026-03-16']],
  ['from a day to come is empty', { from: '2026-03-17' }, ['2026-03-17', '2026-03-16']],
] as const)('a usage report %s', (_, range, [start, end]) => {
  expect(usagePeriod(range, NOW)).toEqual({ start: at(start), end: at(end) });
});

it.each([{ from: '2025-03-14' }, { from: '2000-01-01', to: '2999-12-31' }])(
  'a usage report of more than 366 days is refused in words: %j',
  (range) => {
    expect(() => usagePeriod(range, NOW)).toThrow(
      expect.objectContaining({
        code: 'request.invalid',
        fields: { from: 'Please choose at most 366 days' },
      }),
    );
  },
);
