// A restore begins with the newest backup that had ended by the wanted instant, and continues with the binary log from there to the instant.
// The files of the log must follow each other without a gap. An instant after databases were replaced needs a backup from after that, because
// the log does not contain the restore.
import type { Backup, Contents, LogFile } from './manifest.ts';

export type Stock = Pick<Contents, 'backups' | 'logs' | 'restoredAt'>;

/** `logs` are the files from the oldest position of the dumps on. */
export type RestorePlan = { backup: Backup; logs: LogFile[]; at: Date };

const timeOf = (instant: string): number => Date.parse(instant);
const show = (at: Date): string => at.toISOString().replace(/\.\d+/, '');

const byTime = (left: { startedAt: string }, right: { startedAt: string }): number =>
  timeOf(left.startedAt) - timeOf(right.startedAt);

const numberOf = (file: string): number => Number(file.slice(file.lastIndexOf('.') + 1));

/** The file of the log in which the dumps of a backup begin. */
export const firstLogOf = ({ dumps }: Backup): string =>
  dumps.map(({ log }) => log.file).toSorted((left, right) => numberOf(left) - numberOf(right))[0] ?? '';

/** The stored files of the log that follow each other from the start of a backup on. */
const logsAfter = (backup: Backup, logs: readonly LogFile[]): LogFile[] => {
  const ordered = logs.toSorted(
    (left, right) => byTime(left, right) || numberOf(left.file) - numberOf(right.file),
  );
  const file = firstLogOf(backup);
  // A new server may use the same names again.
  const start = ordered.findLastIndex(
    (log) => log.file === file && timeOf(log.startedAt) <= timeOf(backup.endedAt),
  );
  if (start === -1) return [];
  const following = ordered.slice(start);
  const first = numberOf(file);
  const gap = following.findIndex((log, index) => numberOf(log.file) !== first + index);
  return gap === -1 ? following : following.slice(0, gap);
};

/** The newest instant to which a backup can be brought; null if the log after it is missing. */
export const reachOf = (backup: Backup, { logs, restoredAt }: Stock): Date | null => {
  const last = logsAfter(backup, logs).at(-1);
  if (last === undefined || timeOf(last.until) < timeOf(backup.endedAt)) return null;
  const replaced = restoredAt.find((at) => at.getTime() >= timeOf(backup.endedAt));
  return new Date(Math.min(timeOf(last.until), replaced?.getTime() ?? Infinity));
};

/** Returns what a restore to `at` uses; without it, to the newest instant. Throws an error that says which instants can be restored. */
export const planRestore = (stock: Stock, at?: Date): RestorePlan => {
  const { backups, logs } = stock;
  const [oldest] = backups;
  if (oldest === undefined) throw new Error('The store has no complete backup.');
  const ended = at === undefined ? backups : backups.filter(({ endedAt }) => timeOf(endedAt) <= at.getTime());
  const backup = ended.at(-1);
  if (backup === undefined)
    throw new Error(
      `The oldest backup begins at ${show(new Date(oldest.endedAt))}: choose that instant or a later one.`,
    );
  const reach = reachOf(backup, stock);
  if (reach === null)
    throw new Error(
      `The binary log of the backup ${backup.id} is missing, from ${firstLogOf(backup)} on: choose an instant of another backup.`,
    );
  if (at !== undefined && at > reach)
    throw new Error(
      `The backup ${backup.id} can be brought up to ${show(reach)}, where the stored binary log ends or databases were replaced: choose that instant or an earlier one.`,
    );
  const chosen = at ?? reach;
  const needed = logsAfter(backup, logs).filter(({ startedAt }) => timeOf(startedAt) <= chosen.getTime());
  return { backup, logs: needed, at: chosen };
};
