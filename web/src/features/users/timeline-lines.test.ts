import type { TimelineView } from '@shortlist/contracts/api/timeline';
import { describe, expect, it } from 'vitest';
import { linesOf } from './timeline-lines.ts';

let ids = 0;
const credits = (time: string, amount: number, reason = 'email_found'): TimelineView => {
  const at = new Date(time).toISOString();
  const id = `credits-${(ids += 1)}`;
  return { id, at, credits: { id, amount, reason, reference: null, clientId: null, createdAt: at } };
};
const registered = (time: string): TimelineView => ({
  id: `account-${(ids += 1)}`,
  at: new Date(time).toISOString(),
  account: { what: 'registered' },
});
const shapeOf = (entries: TimelineView[]): (string | number)[][] =>
  linesOf(entries).map((line) =>
    'charges' in line ? ['charges', line.charges.length, line.amount] : [Object.keys(line.entry)[2] ?? ''],
  );

describe('the lines of the timeline', () => {
  it('fold charges of one day that follow one another, with their sum', () => {
    const entries = [
      credits('2026-11-20T16:41:00', -1),
      credits('2026-11-20T16:38:00', -3),
      credits('2026-11-20T09:00:00', 0),
    ];
    expect(shapeOf(entries)).toEqual([['charges', 3, 4]]);
  });

  it('do not fold charges of two days, nor a single one', () => {
    const entries = [
      credits('2026-11-21T00:00:00', -1),
      credits('2026-11-20T23:59:59', -1),
      credits('2026-11-20T23:00:00', -1),
    ];
    expect(shapeOf(entries)).toEqual([['credits'], ['charges', 2, 2]]);
  });

  it('end a fold with anything else, and fold no credits that come back or are taken back', () => {
    const entries = [
      credits('2026-11-20T16:00:00', -1),
      credits('2026-11-20T15:00:00', -2),
      credits('2026-11-20T14:00:00', 2, 'released'),
      credits('2026-11-20T13:00:00', -1),
      credits('2026-11-20T12:00:00', -1),
      registered('2026-11-20T11:00:00'),
      credits('2026-11-20T10:00:00', -30, 'credits_revoked'),
      credits('2026-11-20T09:00:00', -250, 'pack_withdrawn'),
    ];
    expect(shapeOf(entries)).toEqual([
      ['charges', 2, 3],
      ['credits'],
      ['charges', 2, 2],
      ['account'],
      ['credits'],
      ['credits'],
    ]);
  });

  it('change no entry', () => {
    const entries = [credits('2026-11-20T16:00:00', -1), credits('2026-11-20T15:00:00', -1)];
    const before = structuredClone(entries);
    linesOf(entries);
    expect(linesOf(entries)).toEqual(linesOf(before));
    expect(entries).toEqual(before);
  });
});
