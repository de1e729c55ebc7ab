import { days } from '@shortlist/contracts/durations';
import { expect, it } from 'vitest';
import { givenUpAt } from './unconfirmed.rules.ts';

const day = (count: number): Date => new Date(Date.UTC(2026, 2, 1) + days(count));
const account = {
  role: 'user',
  createdAt: day(0),
  emailVerifiedAt: null,
  remindedAt: null,
  keptFor: null,
} as const;

it.each([
  ['seven days after the sign-up', { now: 0, end: 7 }],
  ['still so after a reminder in time', { remindedAt: day(5), now: 6, end: 7 }],
  ['two days after a late reminder', { remindedAt: day(30), now: 31, end: 32 }],
  ['not without two days of notice', { now: 30, end: 32 }],
])('A12 an unconfirmed account is deleted %s', (_name, { now, end, ...change }) => {
  expect(givenUpAt({ ...account, ...change }, day(now))).toEqual(day(end));
});

it.each([
  ['of an admin', { role: 'admin' as const }],
  ['whose address is confirmed', { emailVerifiedAt: day(1) }],
  ['with a plan', { keptFor: 'plan' as const }],
  ['that has spent credits', { keptFor: 'credits' as const }],
])('A12 an account %s is not deleted', (_name, change) => {
  expect(givenUpAt({ ...account, ...change }, day(400))).toBeNull();
});
