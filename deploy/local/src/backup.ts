// make backup and make restore: the operator program for backups, with the database server of this clone and a folder beside its data.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startBacking } from './backing/backing.ts';
import { environment, LOCAL_DIRECTORY, REPOSITORY, SECRETS_FILE } from './host/config.ts';
import { messageOf, print, printError, StartError } from './host/messages.ts';
import { findProgram, run } from './host/programs.ts';
import { findRunning } from './host/running.ts';
import { readSecrets } from './host/secrets.ts';
import { BACKING_OFFSET, readBasePort } from './system/ports.ts';

const SCRIPT = join(REPOSITORY, 'deploy/backup/src/operator.ts');
const KEY_FILE = join(LOCAL_DIRECTORY, 'backup-key.txt');
const KEYGEN_MS = 10_000;

/** Returns the public key. The first call makes the key, in a file that only this user can read. */
const readRecipient = async (): Promise<string> => {
  if (findProgram('age') === null)
    throw new StartError('age is missing on this machine: install it (on Debian: apt-get install age).');
  await mkdir(LOCAL_DIRECTORY, { recursive: true, mode: 0o700 });
  if (!existsSync(KEY_FILE) && !(await run('age-keygen', ['-o', KEY_FILE], { timeout: KEYGEN_MS })))
    throw new StartError(`age-keygen could not write ${KEY_FILE}.`);
  const [, recipient] = /^# public key: (age1\w+)$/m.exec(await readFile(KEY_FILE, 'utf8')) ?? [];
  if (recipient === undefined) throw new StartError(`${KEY_FILE} has no key of age-keygen.`);
  return recipient;
};

const settings = async (port: number, rootPassword: string): Promise<NodeJS.ProcessEnv> => {
  const env = environment();
  const server = env.DATABASE_ADMIN_URL || `mysql://root:${rootPassword}@127.0.0.1:${port}`;
  return {
    ...env,
    BACKUP_STORE: env.BACKUP_STORE || join(LOCAL_DIRECTORY, 'backups'),
    BACKUP_RECIPIENTS: env.BACKUP_RECIPIENTS || (await readRecipient()),
    BACKUP_KEY_FILE: env.BACKUP_KEY_FILE || KEY_FILE,
    BACKUP_DATABASE_URL: server,
    RESTORE_PASSWORD: decodeURIComponent(new URL(server).password),
  };
};

const runProgram = (args: string[], env: NodeJS.ProcessEnv): number =>
  spawnSync(process.execPath, [SCRIPT, ...args], { env, stdio: 'inherit' }).status ?? 1;

const withoutPassword = (address: string): string => {
  const url = new URL(address);
  url.password = '';
  return url.href;
};

const backUp = async (args: string[]): Promise<number> => {
  const running = findRunning();
  if (!running && args[0] !== 'list')
    throw new StartError('Shortlist is not running from this folder: run `make start` first.');
  const port = (running?.base ?? readBasePort(environment().PORT)) + BACKING_OFFSET;
  const { DB_ROOT_PASSWORD: password } = await readSecrets(SECRETS_FILE);
  return runProgram(['backup', ...args], await settings(port, password));
};

/** Starts the database server alone, and restores into it. */
const restore = async (args: string[]): Promise<number> => {
  const running = findRunning();
  if (running)
    throw new StartError(`Shortlist is running (process ${running.pid}); stop it with Ctrl-C first.`);
  const secrets = await readSecrets(SECRETS_FILE);
  const portBase = readBasePort(environment().PORT) + BACKING_OFFSET;
  const env = await settings(portBase, secrets.DB_ROOT_PASSWORD);
  const directory = join(LOCAL_DIRECTORY, 'backing');
  const backing = await startBacking({ directory, secrets, portBase, parts: ['database'], print });
  try {
    // What the stopped product did last is only in the server's own log.
    const copied = runProgram(['backup', 'logs'], env);
    if (copied !== 0) return copied;
    return runProgram(['restore', '--into', withoutPassword(backing.databaseAdminUrl), ...args], env);
  } finally {
    await backing.stop();
  }
};

/** Starts an empty server beside the product's, and tries the newest backup there. */
const verify = async (args: string[]): Promise<number> => {
  const secrets = await readSecrets(SECRETS_FILE);
  const base = findRunning()?.base ?? readBasePort(environment().PORT);
  const env = await settings(base + BACKING_OFFSET, secrets.DB_ROOT_PASSWORD);
  const scratch = await startBacking({ parts: ['database'], print });
  try {
    const { password } = new URL(scratch.databaseAdminUrl);
    return runProgram(['backup', 'verify', '--into', withoutPassword(scratch.databaseAdminUrl), ...args], {
      ...env,
      RESTORE_PASSWORD: decodeURIComponent(password),
    });
  } finally {
    await scratch.stop();
  }
};

const main = async ([command = '', ...args]: string[]): Promise<number> => {
  try {
    if (command === 'restore') return await restore(args);
    return await (args[0] === 'verify' ? verify(args.slice(1)) : backUp(args));
  } catch (error) {
    printError(error instanceof StartError ? error.message : messageOf(error));
    return 1;
  }
};

process.exitCode = await main(process.argv.slice(2));
