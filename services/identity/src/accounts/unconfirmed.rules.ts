// An address that its user does not confirm is given up UNCONFIRMED_DAYS after the sign-up, with the account and everything in it. The
// user is reminded UNCONFIRMED_REMINDER_DAYS before, and never less than that: a late reminder moves the end. An account that is in use
// is kept: one that has or had a plan, and one that has spent credits.
import { days } from '@shortlist/contracts/durations';
import { UNCONFIRMED_DAYS, UNCONFIRMED_REMINDER_DAYS } from '@shortlist/contracts/limits';
import type { AccountRow } from './queries.ts';

const NOTICE_MS = days(UNCONFIRMED_REMINDER_DAYS);
const TOTAL_MS = days(UNCONFIRMED_DAYS);

type Account = Pick<AccountRow, 'role' | 'createdAt' | 'emailVerifiedAt' | 'remindedAt' | 'keptFor'>;

/** When an account is given up unless its address is confirmed before; null for one that is not going to be. */
export const givenUpAt = (account: Account, now: Date): Date | null => {
  const { role, createdAt, emailVerifiedAt, remindedAt, keptFor } = account;
  if (role !== 'user' || emailVerifiedAt !== null || keptFor !== null) return null;
  return new Date(Math.max(createdAt.getTime() + TOTAL_MS, (remindedAt ?? now).getTime() + NOTICE_MS));
};

/** The times up to which an account must have been created, or its user reminded, for a step to be due. */
export const dueTimes = (now: Date) => ({
  createdForReminder: new Date(now.getTime() - TOTAL_MS + NOTICE_MS),
  createdForEnd: new Date(now.getTime() - TOTAL_MS),
  remindedForEnd: new Date(now.getTime() - NOTICE_MS),
});
