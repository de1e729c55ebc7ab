import { expect, it } from 'vitest';
import { listsAfter } from './deletion-lists.rules.ts';
import type { DeletionList } from './manifest.ts';

const at = (time: string): string => `2026-11-29T${time}:00.000Z`;
const list = (since: string, until: string): DeletionList => ({
  name: 'deletions/x',
  bytes: 1,
  sha256: '',
  since: at(since),
  until: at(until),
  users: 1,
});

const spansAfter = (lists: DeletionList[], time: string) => {
  const { gaps, until } = listsAfter(lists, new Date(at(time)));
  return { gaps: gaps.map(({ from, to }) => [from.toISOString(), to.toISOString()]), until };
};

it('lists that follow each other, or overlap after a restore, have no gap', () => {
  const lists = [
    list('01:00', '03:00'),
    list('03:00', '05:00'),
    list('04:00', '04:30'),
    list('05:00', '06:00'),
  ];
  expect(spansAfter(lists, '02:00')).toEqual({ gaps: [], until: new Date(at('06:00')) });
  expect(listsAfter(lists, new Date(at('04:30'))).lists).toEqual([lists[1], lists[3]]);
});

it('a missing list is a gap', () => {
  const lists = [list('01:00', '03:00'), list('04:00', '05:00')];
  const gap = [at('03:00'), at('04:00')];
  expect(spansAfter(lists, '02:00')).toEqual({ gaps: [gap], until: new Date(at('05:00')) });
  expect(spansAfter(lists, '00:30').gaps).toEqual([[at('00:30'), at('01:00')], gap]);
});

it('after the last list nothing is known', () => {
  expect(spansAfter([list('01:00', '03:00')], '03:00')).toEqual({ gaps: [], until: new Date(at('03:00')) });
});
