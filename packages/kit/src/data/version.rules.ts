import { inSeconds } from '@shortlist/contracts/durations';

/**
 * The version of a state after a change, by which other services and Redis tell a newer state from an older one. It is at least the time in
 * seconds: the changes after a database was set back to an earlier instant are newer than those that it lost (decision 28). `current`: the
 * version before; the result is always higher.
 */
export const nextVersion = (current: number, now: Date): number =>
  Math.max(current + 1, Math.floor(inSeconds(now.getTime())));

/** The same as an expression of SQL, for a column. */
export const nextVersionOf = (column: string, now: Date): string =>
  `GREATEST(${column} + 1, ${nextVersion(0, now)})`;
