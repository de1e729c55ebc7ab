import { expect, it } from 'vitest';
import { longDate } from '../../lib/dates.ts';
import { changesOf } from './changes.ts';

it('a grant is told by the day until which it lasts, without what only machines read', () => {
  const end = '2026-12-21T18:17:09.220Z';
  const granted = { key: 'grant:1', start: '2026-11-21T18:17:09.220Z', end, graceUntil: null };
  const before = { version: 1, paid: null, granted: null };
  expect(changesOf({ before, after: { version: 2, paid: null, granted } })).toEqual([
    { name: 'granted until', before: 'nothing', after: longDate(end) },
  ]);
});

it('a profile is told field by field, and what stayed is left out', () => {
  const before = { city: 'Oslo', firstName: 'Ada', version: 1 };
  expect(changesOf({ before, after: { city: 'Bergen', firstName: 'Ada', version: 2 } })).toEqual([
    { name: 'city', before: 'Oslo', after: 'Bergen' },
  ]);
});
