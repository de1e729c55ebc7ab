// Copies the closed files of the server's binary log to the store. They are encrypted like the dumps.
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { text } from 'node:stream/consumers';
import type { Environment } from '@shortlist/kit/process/config';
import type { DatabaseServer } from './database-server.ts';
import { type LogFile, logFileName, readContents, writeLog } from './manifest.ts';
import { writeSealed } from './sealed-file.ts';
import type { Store } from './store.ts';

export type Copying = {
  server: DatabaseServer;
  store: Store;
  recipients: readonly string[];
  env: Environment;
  signal: AbortSignal;
};

/** Throws unless the server is a MariaDB with a binary log from which all changes can be repeated. */
export const requireBinaryLog = async ({ runSql }: DatabaseServer): Promise<string> => {
  const [[version = '', isOn, format] = []] = await runSql(
    'SELECT VERSION(), @@global.log_bin, @@global.binlog_format',
  );
  if (!version.includes('MariaDB'))
    throw new Error(`This is not a MariaDB server (version ${version}): use the backups of its provider.`);
  if (isOn !== '1' || format === 'STATEMENT')
    throw new Error(
      'The server needs log_bin and binlog_format=ROW: without them nothing can be restored to an instant.',
    );
  return version;
};

/** The server's time, in whole seconds as in its binary log. */
export const serverTime = async ({ runSql }: DatabaseServer): Promise<Date> => {
  const [[seconds] = []] = await runSql('SELECT UNIX_TIMESTAMP()');
  return new Date(Number(seconds) * 1_000);
};

const SECOND_MS = 1_000;

/** Waits for the next whole second of the server, in which nothing has happened yet, and returns it. `after`: an instant before it. */
export const waitForNextSecond = async (server: DatabaseServer, after = new Date(0)): Promise<Date> => {
  const now = await serverTime(server);
  const next = new Date(Math.max(now.getTime(), after.getTime()) + SECOND_MS);
  while ((await serverTime(server)) < next) await server.runSql('DO SLEEP(0.1)');
  return next;
};

const REMOTE = '--read-from-remote-server';

/** When the server began a file of its log, which the first event in it says. */
const startOf = async ({ start }: DatabaseServer, file: string): Promise<Date> => {
  const { stdin, stdout, ended } = start('mariadb-binlog', [REMOTE, '--stop-position=5', file]);
  stdin.end();
  const [printed] = await Promise.all([text(stdout), ended]);
  const [, year, month, day, time] = /^#(\d\d)(\d\d)(\d\d) +(\d+:\d\d:\d\d) server id/m.exec(printed) ?? [];
  return new Date(`20${year}-${month}-${day}T${time?.padStart(8, '0')}Z`);
};

const listClosed = async ({ runSql }: DatabaseServer): Promise<string[]> =>
  (await runSql('SHOW BINARY LOGS')).map(([file = '']) => file).slice(0, -1);

type Closed = { file: string; startedAt: Date };

/** The files after those that the store has. When it has none of this server, those from `first` on. */
const findMissing = async (
  server: DatabaseServer,
  stored: readonly LogFile[],
  first: string | undefined,
): Promise<string[]> => {
  const closed = await listClosed(server);
  const newest = stored
    .toSorted((left, right) => Date.parse(left.startedAt) - Date.parse(right.startedAt))
    .at(-1);
  const index = newest === undefined ? -1 : closed.indexOf(newest.file);
  if (newest !== undefined && index !== -1) {
    // A new server begins with the same names again.
    const startedAt = await startOf(server, newest.file);
    if (startedAt.getTime() === Date.parse(newest.startedAt)) return closed.slice(index + 1);
  }
  return first === undefined ? closed : closed.slice(Math.max(closed.indexOf(first), 0));
};

const copyFile = async (
  { server, store, recipients, env, signal }: Copying,
  { file, startedAt }: Closed,
  until: Date,
): Promise<LogFile> => {
  const download = server.start('mariadb-binlog', [REMOTE, '--raw', `--result-file=${server.folder}/`, file]);
  download.stdin.end();
  download.stdout.resume();
  await download.ended;
  const path = join(server.folder, file);
  const sealed = await writeSealed(
    { env, signal, store, recipients },
    logFileName(startedAt, file),
    (target, limit) => [pipeline(createReadStream(path), target, { signal: limit })],
  );
  await rm(path);
  const log: LogFile = {
    file,
    ...sealed,
    startedAt: startedAt.toISOString(),
    until: until.toISOString(),
  };
  await writeLog(store, log);
  return log;
};

const copyClosed = async (copying: Copying, first?: string): Promise<LogFile[]> => {
  const { server, store } = copying;
  const { logs } = await readContents(store);
  const until = await serverTime(server);
  await server.runSql('FLUSH BINARY LOGS');
  const missing: Closed[] = [];
  for (const file of await findMissing(server, logs, first))
    missing.push({ file, startedAt: await startOf(server, file) });
  const copied: LogFile[] = [];
  for (const [index, closed] of missing.entries())
    copied.push(await copyFile(copying, closed, missing[index + 1]?.startedAt ?? until));
  return copied;
};

/**
 * Closes the server's current log file, and copies the closed files that the store lacks, in order; a store without any gets those from `first`
 * on. Returns what was copied. The lock keeps two jobs from writing one file.
 */
export const copyLogs = (copying: Copying, first?: string): Promise<LogFile[]> =>
  copying.server.withLock('shortlist_backup_logs', () => copyClosed(copying, first));
