import { expect, it } from 'vitest';
import { longDate } from '../../lib/dates.ts';
import { changesOf } from './changes.ts';

it('a grant is shown by its end, without internal fields', () => {
  const end = '2026-12-21T18:17:09.220Z';
  const granted = { key: 'grant:1', start: '2026-11-21T18:17:09.220Z', end, graceUntil: null };
  const before = { version: 1, paid: null, granted: null };
  expect(changesOf({ before, after: { version: 2, paid: null, granted } })).toEqual([
    { name: 'granted until', before: 'nothing', after: longDate(end) },
  ]);
});

it('a profile is shown by its changed fields', () => {
  const before = { city: 'Oslo', firstName: 'Ada', version: 1 };
  expect(changesOf({ before, after: { city: 'Bergen', firstName: 'Ada', version: 2 } })).toEqual([
    { name: 'city', before: 'Oslo', after: 'Bergen' },
  ]);
});

it('a creation is shown without values before', () => {
  const after = { city: 'Oslo', linkedin: '', picture: null, version: 1 };
  expect(changesOf({ before: null, after })).toEqual([{ name: 'city', before: null, after: 'Oslo' }]);
});

it('a picture is shown without its file name', () => {
  const [one, two] = ['0198a0b0.jpg', '0198a0b1.jpg'];
  const pictureChange = (before: string | null, after: string | null) =>
    changesOf({ before: { picture: before }, after: { picture: after } });
  expect(pictureChange(null, one)).toEqual([{ name: 'picture', before: 'nothing', after: 'a picture' }]);
  expect(pictureChange(one, two)).toEqual([
    { name: 'picture', before: 'a picture', after: 'another picture' },
  ]);
  expect(pictureChange(one, null)).toEqual([{ name: 'picture', before: 'a picture', after: 'nothing' }]);
  expect(pictureChange(one, one)).toEqual([]);
});
