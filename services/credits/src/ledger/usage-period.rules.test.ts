import { expect, it } from 'vitest';
import { usagePeriod } from './usage-period.rules.ts';

const NOW = new Date('2026-03-15T23:59:59.999Z');
const at = (day: string): Date => new Date(`${day}T00:00:00.000Z`);

it.each([
  { which: 'of no days is the last thirty', range: {}, start: '2026-02-14', end: '2026-03-16' },
  {
    which: 'of a first day goes on until today',
    range: { from: '2026-03-01' },
    start: '2026-03-01',
    end: '2026-03-16',
  },
  {
    which: 'of a last day has thirty days',
    range: { to: '2026-01-31' },
    start: '2026-01-02',
    end: '2026-02-01',
  },
  {
    which: 'of one day has its 24 hours',
    range: { from: '2026-03-29', to: '2026-03-29' },
    start: '2026-03-29',
    end: '2026-03-30',
  },
  { which: 'of 366 days is allowed', range: { from: '2025-03-15' }, start: '2025-03-15', end: '2026-03-16' },
  {
    which: 'from a day to come is empty',
    range: { from: '2026-03-17' },
    start: '2026-03-17',
    end: '2026-03-16',
  },
])('a usage report $which', ({ range, start, end }) => {
  expect(usagePeriod(range, NOW)).toEqual({ start: at(start), end: at(end) });
});

it.each([{ from: '2025-03-14' }, { from: '2000-01-01', to: '2999-12-31' }])(
  'a usage report of more than 366 days is too long: %j',
  (range) => expect(usagePeriod(range, NOW)).toBeNull(),
);
