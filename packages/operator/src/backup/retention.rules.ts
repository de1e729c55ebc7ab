// Every backup is kept for some days, then the first of each month for some months. The newest backup and the newest verified one are never
// removed. The binary log is kept for the days, and for the time in which a kept backup was made, without which it cannot be restored. The lists
// of deleted users are kept from the oldest backup on.
import { days as lengthOf } from '@shortlist/contracts/durations';
import type { Backup, Contents, DeletionList, LogFile } from './manifest.ts';

export type Retention = { days: number; months: number };

const monthOf = ({ id }: Backup): string => id.slice(0, 6);

const monthsBefore = (now: Date, months: number): string => {
  const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1));
  return first.toISOString().slice(0, 7).replace('-', '');
};

type Expired = { backups: Backup[]; logs: LogFile[]; deletions: DeletionList[] };

/** Returns the backups, files of the log and lists of deleted users to remove. `backups` are in order, the oldest first. */
export const expiredOf = (
  { backups, logs, deletions, verified }: Pick<Contents, 'backups' | 'logs' | 'deletions' | 'verified'>,
  { days, months }: Retention,
  now: Date,
): Expired => {
  const since = now.getTime() - lengthOf(days);
  const isRecent = ({ startedAt }: Backup): boolean => Date.parse(startedAt) >= since;
  const firstMonth = monthsBefore(now, months);
  const firsts = new Map<string, Backup>();
  for (const backup of backups)
    if (monthOf(backup) > firstMonth && !firsts.has(monthOf(backup))) firsts.set(monthOf(backup), backup);
  const always = [backups.at(-1), backups.findLast(({ id }) => verified.includes(id))];
  const kept = new Set(
    backups.filter(
      (backup) => isRecent(backup) || firsts.get(monthOf(backup)) === backup || always.includes(backup),
    ),
  );
  // The newest backup also has what follows it when all are older.
  const continuous = backups.find(isRecent) ?? backups.at(-1);
  const isNeeded = (log: LogFile): boolean =>
    continuous === undefined ||
    Date.parse(log.until) >= Date.parse(continuous.startedAt) ||
    [...kept].some(
      ({ startedAt, endedAt }) =>
        Date.parse(log.until) >= Date.parse(startedAt) && Date.parse(log.startedAt) <= Date.parse(endedAt),
    );
  const oldest = Math.min(...[...kept].map(({ startedAt }) => Date.parse(startedAt)));
  return {
    backups: backups.filter((backup) => !kept.has(backup)),
    logs: logs.filter((log) => !isNeeded(log)),
    deletions: deletions.filter(({ until }) => Date.parse(until) < oldest),
  };
};

/** A backup that runs for longer is none any more. */
const UNFINISHED_DAYS = 2;

/** Returns the ids of backups that were begun long ago and have no manifest. */
export const unfinishedOf = (names: readonly string[], now: Date): string[] => {
  const limit = new Date(now.getTime() - lengthOf(UNFINISHED_DAYS)).toISOString().replace(/[-:]|\.\d+/g, '');
  const ids = new Set(names.flatMap((name) => /^backups\/(\d{8}T\d{6}Z)\//.exec(name)?.[1] ?? []));
  return [...ids].filter((id) => id < limit && !names.includes(`backups/${id}/manifest.json`));
};
