import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import { StartFailure } from '../errors.ts';
import { lastLines, run } from '../programs.ts';
import { startNativePart } from './native-part.ts';
import type { Part } from './part.ts';

export type MariadbPlace = {
  program: string;
  installer: string;
  directory: string;
  port: number;
  rootPassword: string;
};

// The path of a unix socket may have some 100 bytes.
const LONGEST_SOCKET_PATH = 100;

export const databaseAnswers = async (url: string): Promise<boolean> => {
  try {
    const connection = await createConnection({ uri: url, connectTimeout: 2_000 });
    await connection.ping();
    await connection.end();
    return true;
  } catch {
    return false;
  }
};

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

// MariaDB refuses to run as root unless told to by name.
const asUser = (): string[] => (userInfo().uid === 0 ? ['--user=root'] : []);

// A server that starts clears away what looks like another's temporary tables, so no two may share a place for them.
const temporaryTables = async (directory: string): Promise<string> => {
  const place = join(directory, 'mariadb.tmp');
  await mkdir(place, { recursive: true });
  return `--tmpdir=${place}`;
};

const installTables = async ({ installer, directory }: MariadbPlace, data: string): Promise<void> => {
  if (await exists(data)) return;
  // Moved into place when whole, so that an interrupted first start is never mistaken for a database.
  const draft = `${data}.draft`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true });
  const kind = ['--auth-root-authentication-method=normal', '--skip-test-db', '--skip-name-resolve'];
  const places = [`--datadir=${draft}`, await temporaryTables(directory)];
  const result = await run(installer, ['--no-defaults', ...asUser(), ...places, ...kind]);
  if (!result.ok) {
    throw new StartFailure(`mariadb-install-db failed in ${directory}:\n${lastLines(result.output, 10)}`);
  }
  await rename(draft, data);
};

// Read by the server before it listens, so there is no moment without a password.
const writeInitFile = async ({ directory, rootPassword }: MariadbPlace): Promise<string> => {
  const file = join(directory, 'mariadb-init.sql');
  const statements = ['127.0.0.1', 'localhost'].flatMap((host) => [
    `CREATE OR REPLACE USER 'root'@'${host}' IDENTIFIED BY '${rootPassword}';`,
    `GRANT ALL PRIVILEGES ON *.* TO 'root'@'${host}' WITH GRANT OPTION;`,
  ]);
  await writeFile(file, `${statements.join('\n')}\n`, { mode: 0o600 });
  return file;
};

const socketPath = (directory: string, port: number): string => {
  const near = join(directory, 'mariadb.sock');
  return near.length <= LONGEST_SOCKET_PATH ? near : join(tmpdir(), `shortlist-mariadb-${port}.sock`);
};

export const startMariadb = async (place: MariadbPlace): Promise<Part> => {
  const { program, directory, port, rootPassword } = place;
  const data = join(directory, 'mariadb');
  await mkdir(directory, { recursive: true });
  await installTables(place, data);
  const initFile = await writeInitFile(place);
  const url = `mysql://root:${rootPassword}@127.0.0.1:${port}`;
  return startNativePart({
    name: 'MariaDB',
    command: program,
    args: [
      ...['--no-defaults', ...asUser(), `--datadir=${data}`, `--init-file=${initFile}`],
      await temporaryTables(directory),
      ...[`--port=${port}`, '--bind-address=127.0.0.1', '--skip-networking=off', '--skip-name-resolve'],
      ...[`--socket=${socketPath(directory, port)}`, `--pid-file=${join(directory, 'mariadb.pid')}`],
      ...['--character-set-server=utf8mb4', '--collation-server=utf8mb4_unicode_ci'],
      ...['--default-time-zone=+00:00', '--max-connections=300', '--innodb-flush-log-at-trx-commit=1'],
      ...['--innodb-buffer-pool-size=128M', '--innodb-log-file-size=48M', '--aria-pagecache-buffer-size=8M'],
    ],
    logFile: join(directory, 'mariadb.log'),
    url,
    isReady: () => databaseAnswers(url),
  });
};
