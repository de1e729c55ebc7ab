// A disposable MySQL server for a run of the tests.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { until } from '@shortlist/kit/testing/until';
import { makeTemporaryFolder } from '@shortlist/local/host/config';
import { findFreePorts } from '@shortlist/local/host/ports';
import { createConnection } from 'mysql2/promise';
import { findMysql } from './mysql-program.ts';

/** `reason` says why there is no server. */
type MysqlServer = { url?: string; reason?: string; stop: () => Promise<unknown> };

const IMAGE = 'mysql:8.4';
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
  const [folder, [port = 0]] = [await makeTemporaryFolder(true), await findFreePorts(1)];
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
  const hasDecided = async (): Promise<boolean> => (await responds(url)) || error() !== undefined;
  const reason = await until('MySQL responds', hasDecided, START_LIMIT_MS).then(error, String);
  if (reason === undefined) return { url, stop };
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
