import type { DirectoryTotals } from '@shortlist/contracts/api/directory';
import { minutes } from '@shortlist/contracts/durations';
import { DIRECTORY_COUNT_MAX } from '@shortlist/contracts/limits';
import type { Db } from '@shortlist/kit/data/db';
import type { Clock } from '@shortlist/kit/process/clock';
import { countPremiumProfiles, countProfiles } from './queries.ts';

/** Up to this many users, a list is counted exactly too, and counting takes a few milliseconds, so it is repeated for every request. */
const SMALL_DIRECTORY = DIRECTORY_COUNT_MAX;
/** Counting a million users reads an index of 50 MB, so a large count is reused for this long. */
const REUSE_MS = minutes(1);

const count = async (db: Db, now: Date): Promise<DirectoryTotals> => {
  const [registered, premium] = await Promise.all([
    countProfiles(db.manager),
    countPremiumProfiles(db.manager, now),
  ]);
  return { registered, premium, countedAt: now.toISOString() };
};

/** Returns a function that counts all users and the premium ones. A large directory is counted by one request at a time. */
export const createTotals = ({ db, clock }: { db: Db; clock: Clock }): (() => Promise<DirectoryTotals>) => {
  let last: DirectoryTotals | null = null;
  let running: Promise<DirectoryTotals> | null = null;
  const countNow = async (): Promise<DirectoryTotals> => (last = await count(db, clock()));
  return () => {
    if (last !== null && last.registered <= SMALL_DIRECTORY) return countNow();
    if (last !== null && clock().getTime() - Date.parse(last.countedAt) < REUSE_MS)
      return Promise.resolve(last);
    running ??= countNow().finally(() => (running = null));
    return running;
  };
};
