import type { Notice } from '@shortlist/contracts/api/notices';
import { expect, it } from 'vitest';
import { noticeRules, noticesAt } from './notices.rules.ts';

const NOW = Date.parse('2026-11-20T09:00:00.000Z');
const notice = (id: string, from: string, until: string): Notice => ({
  ...{ id, audience: 'everyone', tone: 'info', text: id, linkLabel: '', linkTo: '', version: 1 },
  from: `${from}T09:00:00.000Z`,
  until: `${until}T09:00:00.000Z`,
});

it('a notice is shown from its beginning, is over at its end, and those to come are in order', () => {
  const groups = noticesAt(
    [
      notice('later', '2026-12-01', '2026-12-02'),
      notice('next', '2026-11-21', '2026-12-02'),
      notice('current', '2026-11-20', '2026-11-21'),
      notice('over', '2026-11-19', '2026-11-20'),
    ],
    NOW,
  );
  const ids = Object.values(groups).map((notices) => notices.map(({ id }) => id));
  expect(ids).toEqual([['current'], ['next', 'later'], ['over']]);
});

it('a notice needs a text and an end after its beginning', () => {
  const valid = {
    ...{ audience: 'everyone', tone: 'info', text: 'We moved', linkLabel: '', linkTo: '' },
    ...{ from: '2026-11-20T09:00', until: '2026-11-21T09:00' },
  };
  expect(noticeRules(valid)).toEqual({});
  expect(Object.keys(noticeRules({ ...valid, text: ' ', until: valid.from }))).toEqual(['text', 'until']);
  expect(noticeRules({ ...valid, from: '' })).toEqual({ from: 'Please enter a date and a time' });
});
