// What became of one user in a job, for the panel and its CSV file.
import type { SkipReason } from './api/bulk.ts';
import { type ErrorCode, errorMessage, ERRORS } from './errors.ts';
import { messages } from './messages.ts';

const skipText = messages({
  already_premium: 'Already has Premium',
  already_free: 'Has no Premium plan',
  already_ending: 'The plan does not renew',
  grant_over: 'The granted Premium has already ended',
  turned_off: 'Turned these emails off',
  leaving: 'Has asked us to delete the account',
} satisfies Record<SkipReason, string>);

const isSkipReason = (why: string): why is SkipReason => Object.hasOwn(skipText.entries, why);
const isErrorCode = (why: string): why is ErrorCode => Object.hasOwn(ERRORS, why);

/** A skip reason or an error code in words. One of another version stays as it is. */
export const describeResult = (why: string): string => {
  if (isSkipReason(why)) return skipText(why);
  return isErrorCode(why) ? errorMessage(why) : why;
};
