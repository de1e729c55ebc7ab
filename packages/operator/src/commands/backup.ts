import { hours, inSeconds, minutes } from '@shortlist/contracts/durations';
import { loadConfig } from '@shortlist/kit/process/config';
import { copyLogs, requireBinaryLog } from '../backup/copy-logs.ts';
import { createBackup } from '../backup/create-backup.ts';
import { withDatabaseServer } from '../backup/database-server.ts';
import { copyDeletions } from '../backup/deletions.ts';
import {
  type Backup,
  type Contents,
  deletionFilesOf,
  folderOf,
  logFilesOf,
  readContents,
  writeMark,
} from '../backup/manifest.ts';
import { reportInstant } from '../backup/report-instant.ts';
import { reachOf } from '../backup/restore-plan.rules.ts';
import { expiredOf, type Retention, unfinishedOf } from '../backup/retention.rules.ts';
import { openStore, type Store } from '../backup/store.ts';
import { type Schemas, verifyBackup } from '../backup/verify-backup.ts';
import {
  type Action,
  type Command,
  EXIT,
  type ExitCode,
  type Invocation,
  JSON_OPTION,
  UsageError,
} from '../command.ts';
import { backupVariables, keyVariables, listVariables, reportVariables } from '../config.ts';
import { INTO_OPTION, targetUrl } from './restore.ts';

const show = (at: Date): string => at.toISOString().replace(/\.\d+/, '');

const MEGABYTE = 1_000_000;
const sizeOf = ({ dumps }: Backup): string =>
  `${(dumps.reduce((sum, { bytes }) => sum + bytes, 0) / MEGABYTE).toFixed(1)} MB`;

const wholeNumber = (name: string, value: string | boolean | undefined, fallback: number): number => {
  const number = value === undefined ? fallback : Number(value);
  if (!Number.isInteger(number) || number < 1)
    throw new UsageError(`--${name} takes a whole number from 1 on.`);
  return number;
};

const retentionOf = ({ options }: Invocation): Retention => ({
  days: wholeNumber('keep-days', options['keep-days'], 14),
  months: wholeNumber('keep-months', options['keep-months'], 12),
});

/** Removes the files of a backup, the manifest first, so that no half of one counts. */
const removeBackup = async (store: Store, id: string, names: readonly string[]): Promise<void> => {
  const folder = `${folderOf(id)}/`;
  const isManifest = (name: string): boolean => name === `${folder}manifest.json`;
  const own = names.filter((name) => name.startsWith(folder));
  for (const name of [...own.filter(isManifest), ...own.filter((one) => !isManifest(one))])
    await store.remove(name);
};

const removeExpired = async (store: Store, contents: Contents, retention: Retention, now: Date) => {
  const expired = expiredOf(contents, retention, now);
  const ids = [...expired.backups.map(({ id }) => id), ...unfinishedOf(contents.names, now)];
  for (const id of ids) await removeBackup(store, id, contents.names);
  const files = [...expired.logs.flatMap(logFilesOf), ...expired.deletions.flatMap(deletionFilesOf)];
  for (const name of files) await store.remove(name);
  return expired;
};

const create: Action = {
  name: '',
  about: 'backs up every database and the binary log, then removes expired backups',
  words: [],
  options: {
    'keep-days': { type: 'string', about: 'days for which every backup is kept; default 14' },
    'keep-months': { type: 'string', about: 'months for which the first one of a month is kept; default 12' },
  },
  timeoutSeconds: inSeconds(hours(6)),
  run: async (invocation): Promise<ExitCode> => {
    const { env, signal, clock, terminal } = invocation;
    const retention = retentionOf(invocation);
    const config = loadConfig(backupVariables, env);
    const store = openStore(config.BACKUP_STORE, { env, signal });
    const recipients = config.BACKUP_RECIPIENTS.split(',').map((recipient) => recipient.trim());
    await withDatabaseServer({ url: config.BACKUP_DATABASE_URL, env, signal }, async (server) => {
      const copying = { server, store, recipients, env, signal };
      const { backup, copied } = await createBackup(copying, config.VERSION);
      terminal.print(`backup ${backup.id}: ${sizeOf(backup)}, and ${copied.length} files of the binary log`);
      const expired = await removeExpired(store, await readContents(store), retention, clock());
      terminal.print(`${expired.backups.length} expired backups removed`);
      await reportInstant(server, 'backup', new Date(backup.endedAt));
    });
    return EXIT.done;
  },
};

const logs: Action = {
  name: 'logs',
  about:
    'copies the binary log up to now, so that instants since the last backup can be restored, and who was deleted',
  words: [],
  options: {},
  timeoutSeconds: inSeconds(minutes(30)),
  run: async ({ env, signal, terminal }): Promise<ExitCode> => {
    const config = loadConfig(backupVariables, env);
    const store = openStore(config.BACKUP_STORE, { env, signal });
    const recipients = config.BACKUP_RECIPIENTS.split(',').map((recipient) => recipient.trim());
    await withDatabaseServer({ url: config.BACKUP_DATABASE_URL, env, signal }, async (server) => {
      await requireBinaryLog(server);
      const copying = { server, store, recipients, env, signal };
      const copied = await copyLogs(copying);
      await copyDeletions(copying);
      terminal.print(`${copied.length} files of the binary log copied, and the ids of deleted users`);
    });
    return EXIT.done;
  },
};

const rowsOf = (contents: Contents) =>
  contents.backups.map((backup) => ({
    id: backup.id,
    from: backup.endedAt,
    until: reachOf(backup, contents)?.toISOString() ?? null,
    size: sizeOf(backup),
    isVerified: contents.verified.includes(backup.id),
    productVersion: backup.productVersion,
  }));

const list: Action = {
  name: 'list',
  about: 'lists the complete backups, and the instants to which each can be restored',
  words: [],
  options: JSON_OPTION,
  timeoutSeconds: inSeconds(minutes(5)),
  run: async ({ options, env, signal, terminal }): Promise<ExitCode> => {
    const { BACKUP_STORE: address } = loadConfig(listVariables, env);
    const contents = await readContents(openStore(address, { env, signal }));
    for (const line of contents.damaged) terminal.printError(line);
    const rows = rowsOf(contents);
    if (options['json'] === true) {
      terminal.print(JSON.stringify(rows));
      return EXIT.done;
    }
    for (const { id, from, until, size, isVerified } of rows) {
      const range =
        until === null
          ? 'cannot be restored: its binary log is missing'
          : `${show(new Date(from))} to ${show(new Date(until))}`;
      terminal.print(`${id}  ${range}  ${size}${isVerified ? '  verified' : ''}`);
    }
    if (rows.length === 0) terminal.print('The store has no complete backup.');
    return EXIT.done;
  },
};

const verifyAction = (schemas: Schemas): Action => ({
  name: 'verify',
  about: 'restores the newest backup into a scratch server, migrates it and checks its invariants',
  words: [],
  options: INTO_OPTION,
  timeoutSeconds: inSeconds(hours(12)),
  run: async (invocation): Promise<ExitCode> => {
    const { env, signal, terminal } = invocation;
    const url = targetUrl(invocation);
    const config = loadConfig({ ...keyVariables, ...reportVariables }, env);
    const store = openStore(config.BACKUP_STORE, { env, signal });
    const contents = await readContents(store);
    const { plan, result } = await withDatabaseServer({ url, env, signal }, (server) => {
      const restoring = { server, store, keyFile: config.BACKUP_KEY_FILE, env, signal };
      return verifyBackup({ restoring, url, schemas, report: terminal.print }, contents);
    });
    for (const { invariant, detail } of result.breaches) terminal.print(`${invariant} ${detail}`);
    if (result.breaches.length > 0) return EXIT.failed;
    terminal.print(
      `backup ${plan.backup.id} verified at ${show(plan.at)}: ${result.checked} invariants hold`,
    );
    await writeMark(store, 'verified', plan.backup.id);
    const reportUrl = config.BACKUP_DATABASE_URL;
    if (reportUrl !== undefined)
      await withDatabaseServer({ url: reportUrl, env, signal }, (server) =>
        reportInstant(server, 'verified', new Date(plan.backup.endedAt)),
      );
    return EXIT.done;
  },
});

/** The command that backs up all databases, and tries the backups. */
export const backupCommand = (schemas: Schemas): Command => ({
  actions: [create, logs, list, verifyAction(schemas)],
});
