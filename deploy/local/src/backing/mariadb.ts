import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import { messageOf } from '../host/errors.ts';
import type { Print } from '../host/print.ts';
import { runProgram } from '../waiting/run-program.ts';
import { startNativeServer } from './native-server.ts';
import type { Server } from './server.ts';

type MariadbOptions = {
  program: string;
  installer: string;
  directory: string;
  port: number;
  rootPassword: string;
  /** Further options of the server. */
  more?: readonly string[];
  print: Print;
};

// The path of a unix socket may have about 100 bytes.
const MAX_SOCKET_PATH = 100;

export const checkDatabase = async (url: string): Promise<string | null> => {
  try {
    const connection = await createConnection({ uri: url, connectTimeout: 2_000 });
    await connection.ping();
    await connection.end();
    return null;
  } catch (error) {
    return messageOf(error);
  }
};

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

// MariaDB refuses to run as root without this option.
const userOption = (): string[] => (userInfo().uid === 0 ? ['--user=root'] : []);

// MariaDB deletes the temporary tables that it finds in this folder at its start, so two servers must not share one.
const tmpdirOption = async (directory: string): Promise<string> => {
  const folder = join(directory, 'mariadb.tmp');
  await mkdir(folder, { recursive: true });
  return `--tmpdir=${folder}`;
};

const installTables = async (options: MariadbOptions, data: string): Promise<void> => {
  const { installer, directory, print } = options;
  if (await exists(data)) return;
  // Renamed when complete, so that an interrupted first start leaves no half database.
  const draft = `${data}.draft`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true });
  const folders = [`--datadir=${draft}`, await tmpdirOption(directory)];
  const program = {
    name: 'mariadb-install-db',
    command: installer,
    args: [
      ...['--no-defaults', ...userOption(), ...folders],
      ...['--auth-root-authentication-method=normal', '--skip-test-db', '--skip-name-resolve'],
    ],
    logFile: join(directory, 'mariadb.log'),
  };
  await runProgram(program, { print });
  await rename(draft, data);
};

// The server reads this file before it listens, so it never accepts a connection without a password.
const writeInitFile = async ({ directory, rootPassword }: MariadbOptions): Promise<string> => {
  const file = join(directory, 'mariadb-init.sql');
  const statements = ['127.0.0.1', 'localhost'].flatMap((host) => [
    `CREATE OR REPLACE USER 'root'@'${host}' IDENTIFIED BY '${rootPassword}';`,
    `GRANT ALL PRIVILEGES ON *.* TO 'root'@'${host}' WITH GRANT OPTION;`,
  ]);
  await writeFile(file, `${statements.join('\n')}\n`, { mode: 0o600 });
  return file;
};

const socketPath = (directory: string, port: number): string => {
  const path = join(directory, 'mariadb.sock');
  return path.length <= MAX_SOCKET_PATH ? path : join(tmpdir(), `shortlist-mariadb-${port}.sock`);
};

export const startMariadb = async (options: MariadbOptions): Promise<Server> => {
  const { program, directory, port, rootPassword, more = [], print } = options;
  const data = join(directory, 'mariadb');
  await mkdir(directory, { recursive: true });
  await installTables(options, data);
  const initFile = await writeInitFile(options);
  const url = `mysql://root:${rootPassword}@127.0.0.1:${port}`;
  return startNativeServer({
    name: 'MariaDB',
    command: program,
    args: [
      ...['--no-defaults', ...userOption(), `--datadir=${data}`, `--init-file=${initFile}`],
      await tmpdirOption(directory),
      ...[`--port=${port}`, '--bind-address=127.0.0.1', '--skip-networking=off', '--skip-name-resolve'],
      ...[`--socket=${socketPath(directory, port)}`, `--pid-file=${join(directory, 'mariadb.pid')}`],
      ...['--character-set-server=utf8mb4', '--collation-server=utf8mb4_unicode_ci'],
      ...['--default-time-zone=+00:00', '--max-connections=300', '--innodb-flush-log-at-trx-commit=1'],
      ...['--innodb-buffer-pool-size=128M', '--innodb-log-file-size=48M', '--innodb-log-buffer-size=4M'],
      '--aria-pagecache-buffer-size=8M',
      ...more,
    ],
    logFile: join(directory, 'mariadb.log'),
    url,
    check: () => checkDatabase(url),
    print,
  });
};
