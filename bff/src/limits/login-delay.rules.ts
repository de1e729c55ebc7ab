// How long unknown clients wait after failed log-ins of one account, counted over all networks. The first ten failures cost nothing.
// Each further one doubles the wait: 1, 2, 4, … seconds, up to a quarter of an hour. After a hundred in a row the account takes
// no log-in of an unknown client for a day. A day without an attempt, a success, or a new password starts the count again.
// A client that has logged in to the account before is not unknown (device-cookie.ts) and never waits for the failures of others.
import { days, inSeconds, minutes } from '@shortlist/contracts/durations';

const FREE_FAILURES = 10;
const LONGEST_WAIT_SECONDS = inSeconds(minutes(15));
export const MOST_FAILURES = 100;

/** The failure with which the wait reaches its full length: the user is notified that the account is locked. */
export const LOCKING_FAILURE = 20;

/** Seconds until the next attempt after this many failures in a row. */
export const waitAfter = (failures: number): number => {
  if (failures < FREE_FAILURES) return 0;
  if (failures >= MOST_FAILURES) return inSeconds(days(1));
  return Math.min(LONGEST_WAIT_SECONDS, 2 ** (failures - FREE_FAILURES));
};
