import { AUDIT_ACTIONS } from '@shortlist/contracts/audit-log';
import { describe, expect, it } from 'vitest';
import { tableTime, tableDate } from './dates.ts';
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
const changesOf = (action: string, before: object | null, after: object | null): string[] => {
  const { rows, notes } = describeEntry({ action, before, after });
  return [...rows.map((row) => `${row.field}: ${row.before ?? '–'} > ${row.after ?? '–'}`), ...notes];
};

describe('an entry about a plan says', () => {
  it.each([
    ['until when a grant lasts', 'plan.grant', state(null), state(null, END), [`– > ${tableDate(END)}`]],
    [
      'which end a revocation replaced',
      'plan.revoke',
      state(END),
      state(START),
      [`${tableDate(END)} > ${tableDate(START)}`],
    ],
    ['the later of two ends', 'plan.grant', null, state(START, END), [`– > ${tableDate(END)}`]],
    ['nothing that it does not know', 'plan.revoke', state(null), state(null), []],
  ])('%s', (...[, action, before, after, texts]) => {
    expect(changesOf(action, before, after)).toEqual(texts.map((text) => `Premium until: ${text}`));
  });

  it('that a renewal was stopped, until when premium lasts, and why', () => {
    const after = state(END, null, { reason: 'Team closed' });
    expect(changesOf('plan.end_renewal', state(END), after)).toEqual([
      `Premium until ${tableDate(END)}, then Free`,
    ]);
    expect(describeEntry({ action: 'plan.end_renewal', before: state(END), after })).toMatchObject({
      title: 'Renewal stopped',
      reason: 'Team closed',
    });
  });
});

describe('an entry about an account says', () => {
  it('which fields changed, by their labels, and not its version', () => {
    const before = { city: 'Oslo', linkedin: '', roleType: 'Single Role', firstName: 'Ada', version: 1 };
    const after = { city: 'Bergen', linkedin: 'x.test', roleType: '', firstName: 'Ada', version: 2 };
    expect(changesOf('profile.update', before, after).toSorted()).toEqual([
      'City: Oslo > Bergen',
      'LinkedIn URL: – > x.test',
      'Role type: Single Role > –',
    ]);
  });

  it.each([
    [null, 'a.jpg', ['Picture: – > A picture']],
    ['a.jpg', null, ['Picture: A picture > –']],
    ['a.jpg', 'a.jpg', []],
  ])('what happened to the picture, without file names: %s to %s', (before, after, texts) => {
    expect(changesOf('profile.update', { picture: before }, { picture: after })).toEqual(texts);
  });

  it('A13 both addresses of a changed email', () => {
    const [before, after] = [{ email: 'ana@talent.test' }, { email: 'new@talent.test' }];
    for (const action of ['account.change_email', 'account.undo_email_change'])
      expect(changesOf(action, before, after)).toEqual(['Email: ana@talent.test > new@talent.test']);
  });

  it('when a requested deletion is due', () => {
    expect(changesOf('account.request_deletion', null, { dueAt: END, reason: 'Moving on' })).toEqual([
      `Deleted on: – > ${tableTime(END)}`,
    ]);
  });
});

describe('an entry', () => {
  it.each([
    ['team.change_role', { role: 'support' }, { role: 'read_only' }, 'Role: Support > Read-only'],
    ['factor.add', null, { factor: 'totp' }, 'Second factor: – > Authenticator app'],
    [
      'payment.refund',
      { refunded: 0, currency: 'usd' },
      { refunded: 5_900, currency: 'usd' },
      'Refunded: $0.00 > $59.00',
    ],
    ['terms.accept', null, { termsVersion: '2026-11' }, 'Terms version: – > 2026-11'],
    ['users.export', null, { country: 'Norway' }, 'Country: – > Norway'],
    ['users.export', null, { isSearch: true }, 'Search by name: – > Yes'],
    ['audit.export', null, { action: 'plan.grant' }, 'Action: – > Premium granted'],
    ['audit.export', null, {}, 'Without filters'],
    ['plan.pause', { pausedAt: null }, { pausedAt: 'soon' }, 'Paused at: – > soon'],
  ])('%s has its details', (...[action, before, after, text]) => {
    expect(changesOf(action, before, after)).toEqual([text]);
  });

  it('about a deleted user is readable although its texts were redacted', () => {
    const redacted = { paid: null, granted: { end: '(redacted)' }, reason: '(redacted)' };
    expect(changesOf('plan.grant', null, redacted)).toEqual(['Premium until: – > (removed)']);
    expect(describeEntry({ action: 'plan.grant', before: null, after: redacted }).reason).toBe('(removed)');
    expect(changesOf('profile.update', null, { city: '(redacted)' })).toEqual(['City: – > (removed)']);
  });

  it('has its action in words, also one of another version', () => {
    const titleOf = (action: string) => describeEntry({ action, before: null, after: null }).title;
    for (const action of AUDIT_ACTIONS) expect(titleOf(action)).not.toMatch(/[._]/);
    expect(titleOf('plan.pause_now')).toBe('Plan: pause now');
    expect(titleOf('toString')).toBe('ToString');
  });
});
