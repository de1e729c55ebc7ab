// A disposable MySQL server for a run of the tests.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, statfs, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { waitUntil } from '@shortlist/local/host/wait';
import { createConnection } from 'mysql2/promise';
import { findMysql } from './mysql-program.ts';

/** `reason` says why there is no server. */
type MysqlServer = { url?: string; reason?: string; stop: () => Promise<unknown> };

const IMAGE = 'mysql:8.4';
/** More than the data of the tests need. */
const MEMORY_BYTES = 2 * 1024 ** 3;
const START_LIMIT_MS = 120_000;

const startContainer = async (): Promise<MysqlServer> => {
  const { GenericContainer, Wait } = await import('testcontainers');
  const container = await new GenericContainer(IMAGE)
    .withEnvironment({ MYSQL_ROOT_PASSWORD: 'root' })
    .withTmpFs({ '/var/lib/mysql': 'rw' })
    .withExposedPorts(3306)
    // The image starts another server first, without a network, to set the password.
    .withWaitStrategy(Wait.forLogMessage(/ready for connections.* port: 3306/))
    .start();
  const url = `mysql://root:root@${container.getHost()}:${container.getMappedPort(3306)}`;
  return { url, stop: () => container.stop({ removeVolumes: true }) };
};

const createFolder = async (): Promise<string> => {
  const memory = await statfs('/dev/shm').catch(() => null);
  const hasRoom = memory !== null && memory.bavail * memory.bsize > MEMORY_BYTES;
  const parent = hasRoom ? '/dev/shm' : tmpdir();
  return mkdtemp(join(parent, 'shortlist-mysql-'));
};

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
};

const responds = (url: string): Promise<boolean> =>
  createConnection({ uri: url }).then(
    (connection) => connection.end().then(() => true),
    () => false,
  );

/** Creates the tables and runs the server until this process ends the input, or ends itself. Removes the folder then. */
const SCRIPT = `
  folder=$1; shift
  ("$@" --initialize-insecure && exec "$@") >"$folder/log" 2>&1 &
  read -r _
  kill -9 $!
  wait
  rm -rf "$folder"
`;

const startProgram = async (): Promise<MysqlServer> => {
  const program = await findMysql();
  const [folder, port] = [await createFolder(), await freePort()];
  const log = join(folder, 'log');
  await writeFile(log, '');
  const options = [
    `--user=${userInfo().username}`,
    `--datadir=${folder}/data`,
    '--secure-file-priv=',
    `--port=${port}`,
    '--bind-address=127.0.0.1',
    `--socket=${folder}/socket`,
    '--mysqlx=OFF',
    '--skip-log-bin',
    '--innodb-buffer-pool-size=256M',
    '--performance-schema=OFF',
  ];
  // In a process group of its own, so that Ctrl-C does not reach it before the tests have ended.
  const server = spawn('/bin/sh', ['-c', SCRIPT, 'sh', folder, ...program, ...options], {
    stdio: ['pipe', 'ignore', 'inherit'],
    detached: true,
  });
  const stop = async (): Promise<void> => {
    server.stdin?.end();
    await once(server, 'exit');
  };
  const url = `mysql://root@127.0.0.1:${port}`;
  const error = (): string | undefined => /^.*\[ERROR\].*$/m.exec(readFileSync(log, 'utf8'))?.[0];
  const giveUp = (): boolean => error() !== undefined;
  if (await waitUntil(() => responds(url), { limitMs: START_LIMIT_MS, giveUp })) return { url, stop };
  const reason = error() ?? 'no connection';
  await stop();
  throw new Error(reason);
};

/** Finds the server of MYSQL_URL, or starts one: in a container where a Docker engine runs, otherwise as a program. */
export const startMysql = async (): Promise<MysqlServer> => {
  const stop = (): Promise<void> => Promise.resolve();
  if (process.env.MYSQL_URL) return { url: process.env.MYSQL_URL, stop };
  const reasons: string[] = [];
  for (const start of [startContainer, startProgram])
    try {
      return await start();
    } catch (error) {
      reasons.push((error as Error).message.split('\n')[0] ?? '');
    }
  return { reason: reasons.join('; '), stop };
};
