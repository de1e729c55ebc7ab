import { days, inSeconds } from '@shortlist/contracts/durations';
import type { Deletion } from '@shortlist/kit/data/deletions-to-repeat';
import { loadConfig } from '@shortlist/kit/process/config';
import { type DatabaseServer, withDatabaseServer } from '../backup/database-server.ts';
import { listsAfter } from '../backup/deletion-lists.rules.ts';
import { putDeletions, readDeletions } from '../backup/deletions.ts';
import {
  compactInstant,
  type DeletionList,
  readContents,
  type Service,
  SERVICES,
  writeMark,
} from '../backup/manifest.ts';
import { listUsed, movePreviousState, requireUnused } from '../backup/previous-state.ts';
import { planRestore, type RestorePlan } from '../backup/restore-plan.rules.ts';
import { checkFiles, restoreDatabases, type Restoring } from '../backup/restore-databases.ts';
import { DamagedError } from '../backup/sealed-file.ts';
import { openStore } from '../backup/store.ts';
import { serverTime } from '../backup/copy-logs.ts';
import {
  type Command,
  EXIT,
  type ExitCode,
  type Invocation,
  isConfirmed,
  UsageError,
  YES_OPTION,
} from '../command.ts';
import { keyVariables, restorePassword } from '../config.ts';
import { parseInstant } from '../instant.ts';

const TIMEOUT_SECONDS = inSeconds(days(1));

/** The address of the option `--into`, with the password of the environment. */
export const targetUrl = ({ options, env }: Pick<Invocation, 'options' | 'env'>): string => {
  const into = options['into'];
  if (typeof into !== 'string') throw new UsageError('--into is missing: the address of a database server.');
  const url = URL.parse(into);
  if (url?.protocol !== 'mysql:' || url.username === '')
    throw new UsageError('--into takes an address like mysql://root@127.0.0.1:3306.');
  if (url.password !== '')
    throw new UsageError(
      '--into takes no password: set RESTORE_PASSWORD, which other users of the machine cannot see.',
    );
  url.password = encodeURIComponent(loadConfig({ RESTORE_PASSWORD: restorePassword }, env).RESTORE_PASSWORD);
  url.pathname = '/';
  return url.href;
};

export const INTO_OPTION = {
  into: {
    type: 'string',
    about: 'database server, as mysql://root@127.0.0.1:3306; RESTORE_PASSWORD has its password',
  },
} as const;

const servicesOf = (only: string | boolean | undefined): readonly Service[] => {
  if (only === undefined) return SERVICES;
  const service = SERVICES.find((name) => name === only);
  if (service === undefined) throw new UsageError(`--only takes one of ${SERVICES.join(', ')}.`);
  return [service];
};

const show = (at: Date): string => at.toISOString().replace(/\.\d+/, '');

const requireMariadb = async ({ runSql }: DatabaseServer): Promise<void> => {
  const [[version = ''] = []] = await runSql('SELECT VERSION()');
  if (!version.includes('MariaDB')) throw new Error(`This is not a MariaDB server (version ${version}).`);
};

type Task = {
  restoring: Restoring;
  plan: RestorePlan;
  deletions: readonly DeletionList[];
  services: readonly Service[];
  invocation: Invocation;
};

/** Reads who was deleted after the instant of a restore, and prints up to when that is known, and what is not. */
const readLaterDeletions = async ({ restoring, plan, deletions, invocation }: Task): Promise<Deletion[]> => {
  const { print, printError } = invocation.terminal;
  const { lists, gaps, until } = listsAfter(deletions, plan.at);
  const users = new Map<string, Deletion>();
  for (const list of lists)
    try {
      for (const user of await readDeletions(restoring, list, plan.at)) users.set(user.userId, user);
    } catch (error) {
      if (!(error instanceof DamagedError)) throw error;
      printError(error.message);
      gaps.push({ from: new Date(list.since), to: new Date(list.until) });
    }
  print(`Deletions up to ${show(until)} are known: ${users.size} users are deleted again at the start.`);
  for (const { from, to } of gaps)
    printError(`The store does not say who was deleted from ${show(from)} to ${show(to)}.`);
  return [...users.values()];
};

/** Restores; whatever fails, the databases are then as they were. */
const replace = async (
  { restoring, plan, services, invocation }: Task,
  { used, deleted }: { used: readonly Service[]; deleted: readonly Deletion[] },
) => {
  const { server, store } = restoring;
  const report = invocation.terminal.print;
  const now = await serverTime(server);
  const previous = await movePreviousState(server, used, now);
  try {
    // Before the first change: the log from here on does not lead to what is restored.
    if (used.length > 0) await writeMark(store, 'restored', compactInstant(now));
    await restoreDatabases(restoring, plan, { services, report });
    await putDeletions(server, services, deleted);
  } catch (error) {
    await previous.putBack();
    report('The restore has failed; the databases are as they were before it.');
    throw error;
  }
  return previous.names;
};

const run = async (task: Task): Promise<ExitCode> => {
  const { restoring, plan, services, invocation } = task;
  const { print } = invocation.terminal;
  const { server } = restoring;
  await requireMariadb(server);
  await requireUnused(server, services);
  const used = await listUsed(server, services);
  print(
    `The backup ${plan.backup.id} and ${plan.logs.length} files of the binary log lead to ${show(plan.at)}.`,
  );
  print('Checking every file …');
  await checkFiles(restoring, plan, services);
  const deleted = await readLaterDeletions(task);
  const question = `Replace ${used.join(', ')} on this server by the state of ${show(plan.at)}?`;
  if (used.length > 0 && !(await isConfirmed(invocation, question))) return EXIT.failed;
  const names = await replace(task, { used, deleted });
  print(`Restored to ${show(plan.at)}: ${services.join(', ')}.`);
  if (names.length === 0) return EXIT.done;
  print(
    `The state before is in ${names.join(', ')}. Drop these databases when they are not needed any more.`,
  );
  print('Take a backup now: the instants from here to the next backup cannot be restored.');
  return EXIT.done;
};

/** The command that brings databases back to an instant. */
export const restoreCommand = (): Command => ({
  actions: [
    {
      name: '',
      about:
        'restores databases to an instant, or to the newest stored one, and keeps the state before beside them',
      words: [],
      options: {
        at: { type: 'string', about: 'instant, as in 2026-01-31T18:00:00Z; without it the newest one' },
        only: { type: 'string', about: `only one database: ${SERVICES.join(', ')}` },
        ...INTO_OPTION,
        ...YES_OPTION,
      },
      timeoutSeconds: TIMEOUT_SECONDS,
      run: async (invocation) => {
        const { options, env, signal, clock, terminal } = invocation;
        const services = servicesOf(options['only']);
        const at = typeof options['at'] === 'string' ? parseInstant(options['at'], clock()) : undefined;
        const url = targetUrl(invocation);
        const { BACKUP_STORE: address, BACKUP_KEY_FILE: keyFile } = loadConfig(keyVariables, env);
        const store = openStore(address, { env, signal });
        const contents = await readContents(store);
        for (const line of contents.damaged) terminal.printError(line);
        const plan = planRestore(contents, at);
        return withDatabaseServer({ url, env, signal }, (server) =>
          run({
            restoring: { server, store, keyFile, env, signal },
            plan,
            deletions: contents.deletions,
            services,
            invocation,
          }),
        );
      },
    },
  ],
});
