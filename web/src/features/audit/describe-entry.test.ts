import { describe, expect, it } from 'vitest';
import { longDay } from '../../lib/dates.ts';
import { describeEntry } from './describe-entry.ts';

const START = '2026-11-22T12:00:00.000Z';
const END = '2026-12-22T12:00:00.000Z';
const period = (end: string) => ({ key: 'in_1', start: START, end, graceUntil: null });
const state = (paid: string | null, granted: string | null = null, more = {}) => ({
  version: 2,
  paid: paid && period(paid),
  granted: granted && period(granted),
  ...more,
});
const detailsOf = (action: string, before: object | null, after: object | null): string[] =>
  describeEntry({ action, before, after }).details;

describe('an entry about a plan says', () => {
  it('until when a grant lasts', () => {
    expect(describeEntry({ action: 'plan.grant', before: state(null), after: state(null, END) })).toEqual({
      title: 'Premium granted',
      details: [`Premium until ${longDay(END)}`],
    });
  });

  it.each([
    [
      'the end that was planned',
      state(END),
      state(START),
      `Premium ended right away instead of on ${longDay(END)}`,
    ],
    ['no end where none is known', state(null), state(null), 'Premium ended right away'],
  ])('at a revocation %s', (...[, before, after, text]) => {
    expect(detailsOf('plan.revoke', before, after)).toEqual([text]);
  });

  it('that a renewal was stopped, until when premium lasts, and why', () => {
    const after = state(END, null, { reason: 'Team closed' });
    expect(detailsOf('plan.end_renewal', state(END), after)).toEqual([
      `Premium until ${longDay(END)}, then Free`,
      'Reason: Team closed',
    ]);
  });

  it('the later of two ends', () => {
    expect(detailsOf('plan.grant', null, state(START, END))).toEqual([`Premium until ${longDay(END)}`]);
  });
});

describe('an entry about a profile says', () => {
  it('which fields changed, by their labels', () => {
    const before = { city: 'Oslo', linkedin: '', roleType: 'Single Role', firstName: 'Ada', version: 1 };
    const after = { city: 'Bergen', linkedin: 'x.test', roleType: '', firstName: 'Ada', version: 2 };
    expect(detailsOf('profile.update', before, after).toSorted()).toEqual([
      'City changed from Oslo to Bergen',
      'LinkedIn URL set to x.test',
      'Role type removed (it was Single Role)',
    ]);
  });

  it.each([
    [null, 'a.jpg', ['Picture added']],
    ['a.jpg', 'b.jpg', ['Picture replaced']],
    ['a.jpg', null, ['Picture removed']],
    ['a.jpg', 'a.jpg', []],
  ])('what happened to the picture, without file names: %s to %s', (before, after, texts) => {
    expect(detailsOf('profile.update', { picture: before }, { picture: after })).toEqual(texts);
  });

  it('what a new account contains', () => {
    const after = { email: 'ada@engines.test', city: 'Oslo', linkedin: '', picture: null };
    expect(detailsOf('account.create', null, after)).toEqual(['Email: ada@engines.test', 'City: Oslo']);
  });
});

describe('an entry', () => {
  it.each([
    [{}, ['All users']],
    [{ plan: 'premium', country: 'Norway' }, ['Only Premium users', 'Only users in Norway']],
    [{ isSearch: true, plan: 'free' }, ['Only users who matched a search', 'Only Free users']],
    [{ joinedFrom: START }, [`Only users who joined on or after ${longDay(START)}`]],
    [{ joinedTo: END }, [`Only users who joined on or before ${longDay(END)}`]],
  ])('about an export names its filters: %j', (after, texts) => {
    expect(detailsOf('users.export', null, after)).toEqual(texts);
  });

  it.each([
    ['payment.refund', { refunded: 5_900, currency: 'usd' }, '$59.00 refunded'],
    ['terms.accept', { termsVersion: '2026-11' }, 'Version 2026-11'],
  ])('%s has its one detail', (action, after, text) => {
    expect(detailsOf(action, null, after)).toEqual([text]);
  });

  it('about a deleted user is readable although its texts were redacted', () => {
    const redacted = {
      version: 2,
      paid: null,
      granted: { end: '(redacted)' },
      currency: '(redacted)',
      refunded: 1,
    };
    expect(detailsOf('plan.grant', null, redacted)).toEqual(['Premium until (removed)']);
    expect(detailsOf('payment.refund', null, redacted)).toEqual([]);
  });

  it('of an unknown action is shown by its name', () => {
    expect(describeEntry({ action: 'plan.pause', before: null, after: null }).title).toBe(
      'Other change (plan.pause)',
    );
  });
});

it('A13 an entry about a changed email names both addresses', () => {
  const change = { before: { email: 'ana@talent.test' }, after: { email: 'new@talent.test' } };
  const details = ['Email changed from ana@talent.test to new@talent.test'];
  expect(describeEntry({ action: 'account.change_email', ...change })).toEqual({
    title: 'Email changed',
    details,
  });
  expect(describeEntry({ action: 'account.undo_email_change', ...change })).toEqual({
    title: 'Change of email undone',
    details,
  });
});
