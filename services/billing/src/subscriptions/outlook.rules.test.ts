import { describe, expect, it } from 'vitest';
import { outlookOf } from './outlook.rules.ts';

const NOW = new Date('2026-03-10T12:00:00.000Z');
const start = '2026-03-01T12:00:00.000Z';
const past = '2026-03-09T12:00:00.000Z';
const soon = '2026-03-12T12:00:00.000Z';
const later = '2026-04-01T12:00:00.000Z';
const latest = '2026-04-08T12:00:00.000Z';
const paid = (end: string, graceUntil: string | null) => ({ key: 'in_1', start, end, graceUntil });
const granted = (end: string) => ({ key: 'grant:1', start, end, graceUntil: null });

describe('a plan', () => {
  it.each([
    ['without a period has no outlook', null, null, null],
    ['that is over has no outlook', paid(past, null), granted(past), null],
    ['that is paid renews after its period', paid(later, latest), null, ['renews', later]],
    ['that is set to end ends with its period', paid(later, null), null, ['ends', later]],
    [
      'whose renewal is not paid is collected until its grace ends',
      paid(past, soon),
      null,
      ['collecting', soon],
    ],
    ['that an admin granted ends by itself', null, granted(later), ['granted', later]],
    [
      'without its renewal lasts as long as a grant beside it',
      paid(soon, later),
      granted(latest),
      ['renews', latest],
    ],
    ['that is over leaves the grant', paid(past, null), granted(later), ['granted', later]],
  ])('%s', (...[, paidPeriod, grant, expected]) => {
    const outlook = outlookOf({ version: 1, paid: paidPeriod, granted: grant }, NOW);
    expect(outlook && [outlook.continuation, outlook.premiumUntil]).toEqual(expected);
  });
});
