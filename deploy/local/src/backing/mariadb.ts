import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import { messageOf, type Print } from '../host/messages.ts';
import { programPath } from '../host/programs.ts';
import { runProgram } from '../host/wait.ts';
import { type Server, startNativeServer } from './server.ts';

type MariadbOptions = {
  directory: string;
  port: number;
  rootPassword: string;
  /** Further options of the server. */
  more?: readonly string[];
  print: Print;
};

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

// MariaDB deletes the temporary tables that it finds in its tmpdir at its start, so two servers must not share one. It refuses
// to run as root without --user.
const commonOptions = async (directory: string): Promise<string[]> => {
  const temporary = join(directory, 'mariadb.tmp');
  await mkdir(temporary, { recursive: true });
  const user = userInfo().uid === 0 ? ['--user=root'] : [];
  return ['--no-defaults', ...user, `--tmpdir=${temporary}`, '--skip-name-resolve'];
};

const installTables = async (options: MariadbOptions, data: string): Promise<void> => {
  const { directory, print } = options;
  if (existsSync(data)) return;
  // Renamed when complete, so that an interrupted first start leaves no half database.
  const draft = `${data}.draft`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true });
  const program = {
    name: 'mariadb-install-db',
    command: programPath('mariadb-install-db'),
    args: [
      ...(await commonOptions(directory)),
      `--datadir=${draft}`,
      '--auth-root-authentication-method=normal',
      '--skip-test-db',
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

export const startMariadb = async (options: MariadbOptions): Promise<Server> => {
  const { directory, port, rootPassword, more = [], print } = options;
  const data = join(directory, 'mariadb');
  await mkdir(directory, { recursive: true });
  await installTables(options, data);
  const url = `mysql://root:${rootPassword}@127.0.0.1:${port}`;
  return startNativeServer({
    name: 'MariaDB',
    command: programPath('mariadbd'),
    args: [
      ...(await commonOptions(directory)),
      `--datadir=${data}`,
      `--init-file=${await writeInitFile(options)}`,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      '--socket=mariadb.sock', // in the data directory; a complete path may be too long for a socket
      '--character-set-server=utf8mb4',
      '--collation-server=utf8mb4_unicode_ci',
      '--default-time-zone=+00:00',
      '--max-connections=300',
      '--innodb-flush-log-at-trx-commit=1',
      '--innodb-buffer-pool-size=128M',
      '--innodb-log-file-size=48M',
      '--innodb-log-buffer-size=4M',
      '--aria-pagecache-buffer-size=8M',
      ...more,
    ],
    logFile: join(directory, 'mariadb.log'),
    url,
    check: () => checkDatabase(url),
    print,
  });
};
