// The ids of deleted users, in the store beside the backups: a restore must not bring these users back, even if the topics are lost, too. The
// source is identity's audit log, which has an entry of every deletion and keeps it, so that copies that failed for long leave no gap.
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { days, minutes } from '@shortlist/contracts/durations';
import { type Deletion, DELETIONS_TO_REPEAT } from '@shortlist/kit/data/deletions-to-repeat';
import { type Copying, waitForNextSecond } from './copy-logs.ts';
import type { DatabaseServer } from './database-server.ts';
import {
  deletionFilesOf,
  type DeletionList,
  deletionListName,
  readContents,
  type Service,
  writeDeletions,
} from './manifest.ts';
import type { Restoring } from './restore-databases.ts';
import { DamagedError, readSealed, writeSealed } from './sealed-file.ts';

/** More than the clocks of processes differ and a transaction takes: an entry has the time of its process, and appears with the commit. */
const TOLERANCE_MS = minutes(10);

/** The least id of an entry of this time: ids are UUIDs of version 7, which begin with the milliseconds. */
const firstIdOf = (time: number): string =>
  time
    .toString(16)
    .padStart(12, '0')
    .replace(/^.{8}/, (head) => `${head}-`);

type Entry = { id: string; userId: string; at: string };

const listEntries = async ({ runSql }: DatabaseServer, since: Date): Promise<Entry[]> => {
  const rows = await runSql(
    `SELECT id, target_id, at FROM identity.audit_log
     WHERE id >= '${firstIdOf(since.getTime() - TOLERANCE_MS)}' AND action = 'account.delete' ORDER BY id`,
  );
  return rows.map(([id = '', userId = '', at = '']) => ({ id, userId, at: `${at.replace(' ', 'T')}Z` }));
};

/** A list is written again with each copy of a day: a restore reads one file a day, however often deletions are copied. */
const LIST_MS = days(1);

type Continued = { entries: Entry[]; replaces: DeletionList };

/**
 * The entries since the newest list began, if one list can have them all. A database that was set back lacks some of those that it has, which
 * must stay in the store.
 */
const continueList = async (
  server: DatabaseServer,
  newest: DeletionList | undefined,
  now: Date,
): Promise<Continued | null> => {
  if (newest === undefined || now.getTime() - Date.parse(newest.since) > LIST_MS) return null;
  const entries = await listEntries(server, new Date(newest.since));
  const end = firstIdOf(Date.parse(newest.until));
  return entries.filter(({ id }) => id < end).length >= newest.users ? { entries, replaces: newest } : null;
};

const copy = async (copying: Copying, first: Date | undefined): Promise<void> => {
  const { server, store } = copying;
  const { backups, deletions } = await readContents(store);
  const newest = deletions.at(-1);
  const begin = newest?.until ?? backups[0]?.startedAt ?? first;
  // A list from now on would leave a gap after the start of the first backup, which may be in the making.
  if (begin === undefined) return;
  const until = await waitForNextSecond(server, newest && new Date(newest.until));
  const continued = await continueList(server, newest, until);
  const since = new Date(continued?.replaces.since ?? begin);
  const entries = continued?.entries ?? (await listEntries(server, since));
  const lines = entries.map(({ userId, at }) => `${userId} ${at}\n`);
  const sealed = await writeSealed(copying, deletionListName(since, until), (target, signal) => [
    pipeline(Readable.from(lines), target, { signal }),
  ]);
  const list = { ...sealed, since: since.toISOString(), until: until.toISOString(), users: entries.length };
  await writeDeletions(store, list);
  if (continued) for (const name of deletionFilesOf(continued.replaces)) await store.remove(name);
};

/**
 * Copies who was deleted since the last copy; without one, since the oldest backup or `first`, and without any of these, nothing. The lock keeps
 * two jobs from one list.
 */
export const copyDeletions = (copying: Copying, first?: Date): Promise<void> =>
  copying.server.withLock('shortlist_backup_deletions', () => copy(copying, first));

const LINE = /^([\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}) (\d{4}-\d\d-\d\dT[\d:.]{8,15}Z)$/;

/** The users of a list who were deleted after an instant. Throws a `DamagedError` for a file from which they cannot be read. */
export const readDeletions = async (
  restoring: Restoring,
  list: DeletionList,
  after: Date,
): Promise<Deletion[]> => {
  let content = '';
  await readSealed(restoring, list, (stream) => [text(stream).then((read) => (content = read))]);
  const users = content
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [, userId, at = ''] = LINE.exec(line) ?? [];
      if (userId === undefined) throw new DamagedError(`${list.name} is damaged: a line has no id and time.`);
      return { userId, deletedAt: new Date(at) };
    });
  return users.filter(({ deletedAt }) => deletedAt.getTime() > after.getTime() - TOLERANCE_MS);
};

/** Rows of one statement. */
const CHUNK = 5_000;

const valueOf = ({ userId, deletedAt }: Deletion): string =>
  `('${userId}', '${deletedAt.toISOString().slice(0, -1).replace('T', ' ')}')`;

/** Has each service delete these users again when it starts. */
export const putDeletions = async (
  { runSql }: DatabaseServer,
  services: readonly Service[],
  deletions: readonly Deletion[],
): Promise<void> => {
  for (const service of services) {
    const inService = `SET SESSION sql_log_bin = 0; USE \`${service}\`;`;
    await runSql(`${inService} ${DELETIONS_TO_REPEAT};`);
    for (let from = 0; from < deletions.length; from += CHUNK) {
      const values = deletions.slice(from, from + CHUNK).map(valueOf);
      await runSql(`${inService} INSERT IGNORE INTO deletions_to_repeat VALUES ${values.join(', ')};`);
    }
  }
};
