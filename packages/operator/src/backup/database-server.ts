// A database server as its own tools see it: mariadb, mariadb-dump and mariadb-binlog. Their account and password are in a file that only this
// user can read, and which is removed with its folder.
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '@shortlist/kit/process/config';
import { parseDatabaseUrl } from '@shortlist/kit/data/variables';
import { readTool, type RunningTool, startTool } from './tool.ts';

export type DatabaseServer = {
  /** A folder for files without encryption, which is removed at the end. */
  folder: string;
  /** Runs statements and returns the rows of the results. */
  runSql: (sql: string) => Promise<string[][]>;
  /** Runs `work` while no other program does so under the same lock of the server. */
  withLock: <T>(name: string, work: () => Promise<T>) => Promise<T>;
  /** Starts a tool with the address and account of the server. */
  start: (program: string, args: readonly string[], signal?: AbortSignal) => RunningTool;
};

/** How long a connection may take, and how long a statement may send nothing while a large table is changed. */
const CONNECT_SECONDS = 20;

/** Quotes a value of an option file. */
const quote = (value: string): string =>
  `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;

const tlsOptions = (url: string, env: Environment): string[] => {
  const mode = new URL(url).searchParams.get('ssl-mode') ?? 'DISABLED';
  if (mode === 'DISABLED') return [];
  // The tools verify the name of the server with the authority, or neither.
  const authority = env['NODE_EXTRA_CA_CERTS'];
  if (mode === 'REQUIRED') return ['ssl'];
  return ['ssl', 'ssl-verify-server-cert', ...(authority ? [`ssl-ca=${quote(authority)}`] : [])];
};

const optionFile = (url: string, env: Environment): string => {
  const { host, port, username, password } = parseDatabaseUrl(url);
  return [
    '[client]',
    'protocol=tcp',
    `host=${quote(host)}`,
    `port=${port}`,
    `user=${quote(username)}`,
    `password=${quote(password)}`,
    ...tlsOptions(url, env),
    '',
  ].join('\n');
};

/** Undoes the escapes of `mariadb --batch`. */
const unescape = (value: string): string =>
  value.replace(/\\([0tn\\])/g, (_escape, letter: string) => ({ 0: '\0', t: '\t', n: '\n' })[letter] ?? '\\');

/** Longer than a file of the binary log takes to be copied. */
const LOCK_WAIT_SECONDS = 600;

/** The lock belongs to a connection, which stays open while the input of its client does. */
const withLock = async <T>(client: RunningTool, name: string, work: () => Promise<T>): Promise<T> => {
  const { stdin, stdout, ended } = client;
  const result = Promise.race([once(stdout, 'data') as Promise<[Buffer]>, ended.then(() => null)]);
  stdin.write(`SELECT GET_LOCK('${name}', ${LOCK_WAIT_SECONDS});\n`);
  try {
    const printed = await result;
    if (printed?.[0].toString().trim() !== '1') throw new Error('Another backup of this server is running.');
    return await work();
  } finally {
    stdin.end();
    await ended;
  }
};

/** Runs `work` with the tools of the server at this address. */
export const withDatabaseServer = async <T>(
  { url, env, signal: limit }: { url: string; env: Environment; signal: AbortSignal },
  work: (server: DatabaseServer) => Promise<T>,
): Promise<T> => {
  const folder = await mkdtemp(join(tmpdir(), 'shortlist-backup-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove); // when the time limit ends the process
  try {
    const file = join(folder, 'client.cnf');
    await writeFile(file, optionFile(url, env), { mode: 0o600 });
    const toolOf = (program: string, args: readonly string[]) => ({
      program,
      args: [`--defaults-file=${file}`, ...args],
      env,
    });
    const client = ['--batch', '--skip-column-names', `--connect-timeout=${CONNECT_SECONDS}`];
    return await work({
      folder,
      runSql: async (sql) => {
        const printed = await readTool(toolOf('mariadb', client), limit, sql);
        return printed
          .split('\n')
          .filter(Boolean)
          .map((line) => line.split('\t').map(unescape));
      },
      withLock: (name, use) =>
        withLock(startTool(toolOf('mariadb', [...client, '--unbuffered']), limit), name, use),
      start: (program, args, signal = limit) => startTool(toolOf(program, args), signal),
    });
  } finally {
    process.off('exit', remove);
    await rm(folder, { recursive: true, force: true });
  }
};
