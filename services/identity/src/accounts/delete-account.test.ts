import { expect, it } from 'vitest';
import { dueAtOf } from './delete-account.ts';

const REQUESTED = new Date('2026-03-01T12:00:00.000Z');

it.each([
  ['30 days after the request', null, '2026-03-31T12:00:00.000Z'],
  [
    '30 days after the request when the paid period ends before',
    '2026-03-15T00:00:00.000Z',
    '2026-03-31T12:00:00.000Z',
  ],
  ['at the end of a later paid period', '2026-04-20T08:00:00.000Z', '2026-04-20T08:00:00.000Z'],
  ['400 days after the request at the latest', '2099-01-01T00:00:00.000Z', '2027-04-05T12:00:00.000Z'],
])('a deletion is due %s', (_name, keepUntil, dueAt) => {
  expect(dueAtOf(REQUESTED, keepUntil === null ? null : new Date(keepUntil)).toISOString()).toBe(dueAt);
});
