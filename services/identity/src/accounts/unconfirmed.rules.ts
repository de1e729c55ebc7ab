// An account whose email is not confirmed is deleted UNCONFIRMED_DAYS after the sign-up, with all its data. The user is reminded at least
// UNCONFIRMED_REMINDER_DAYS before: a late reminder postpones the deletion. An account in use is kept: one that has or had a plan, or has spent
// credits.
import { days } from '@shortlist/contracts/durations';
import { UNCONFIRMED_DAYS, UNCONFIRMED_REMINDER_DAYS } from '@shortlist/contracts/limits';
import type { AccountRow } from './queries.ts';

const NOTICE_MS = days(UNCONFIRMED_REMINDER_DAYS);
const TOTAL_MS = days(UNCONFIRMED_DAYS);

type Account = Pick<AccountRow, 'role' | 'createdAt' | 'emailVerifiedAt' | 'remindedAt' | 'keptFor'>;

/** When an account will be deleted unless its email is confirmed before; null if it will not be. */
export const givenUpAt = (account: Account, now: Date): Date | null => {
  const { role, createdAt, emailVerifiedAt, remindedAt, keptFor } = account;
  if (role !== 'user' || emailVerifiedAt !== null || keptFor !== null) return null;
  return new Date(Math.max(createdAt.getTime() + TOTAL_MS, (remindedAt ?? now).getTime() + NOTICE_MS));
};

/** The latest times of sign-up or reminder for which a step is due. */
export const dueTimes = (now: Date) => ({
  createdForReminder: new Date(now.getTime() - TOTAL_MS + NOTICE_MS),
  createdForEnd: new Date(now.getTime() - TOTAL_MS),
  remindedForEnd: new Date(now.getTime() - NOTICE_MS),
});
