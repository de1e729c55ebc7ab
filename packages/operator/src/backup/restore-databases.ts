import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Environment } from '@shortlist/kit/process/config';
import type { DatabaseServer } from './database-server.ts';
import type { Dump, LogFile, Service } from './manifest.ts';
import type { RestorePlan } from './restore-plan.rules.ts';
import { checkSealed, readSealed } from './sealed-file.ts';
import type { Store } from './store.ts';
import { runTogether } from './tool.ts';

export type Restoring = {
  server: DatabaseServer;
  store: Store;
  keyFile: string;
  env: Environment;
  signal: AbortSignal;
};

/** What is restored does not enter the server's own log: replicas have to be set up again. */
const CLIENT = ['--init-command=SET SESSION sql_log_bin = 0', '--default-character-set=utf8mb4'];

const selected = ({ backup }: RestorePlan, services: readonly Service[]): Dump[] =>
  backup.dumps.filter(({ service }) => services.includes(service));

/** Reads every file of a restore, so that a damaged one or a wrong key is found before anything is replaced. */
export const checkFiles = async (
  restoring: Restoring,
  plan: RestorePlan,
  services: readonly Service[],
): Promise<void> => {
  for (const file of [...selected(plan, services), ...plan.logs]) await checkSealed(restoring, file);
};

const loadDump = async (restoring: Restoring, dump: Dump): Promise<void> => {
  const { server } = restoring;
  const { service } = dump;
  await server.runSql(
    `SET SESSION sql_log_bin = 0; CREATE DATABASE IF NOT EXISTS \`${service}\` CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;`,
  );
  await readSealed(restoring, dump, (content, signal) => {
    const client = server.start('mariadb', [...CLIENT, service], signal);
    client.stdout.resume();
    return [client.ended, pipeline(content, client.stdin, { signal })];
  });
};

/** Writes the files of the log to the server's folder, where mariadb-binlog reads them. */
const fetchLogs = async (restoring: Restoring, logs: readonly LogFile[]): Promise<void> => {
  for (const log of logs)
    await readSealed(restoring, log, (content, signal) => [
      pipeline(content, createWriteStream(join(restoring.server.folder, log.file), { mode: 0o600 }), {
        signal,
      }),
    ]);
};

/** As mariadb-binlog reads it; it runs with the time zone UTC. */
const dateTime = (at: Date): string => at.toISOString().slice(0, 19).replace('T', ' ');

/** Repeats what the log has of one database, from the place of its dump to an instant. */
const repeatLog = async (
  { server, signal: limit }: Restoring,
  { service, log: { file, position } }: Dump,
  { logs, at }: RestorePlan,
): Promise<void> => {
  const from = logs.findIndex((log) => log.file === file);
  const files = logs.slice(from).map((log) => join(server.folder, log.file));
  const options = [
    '--disable-log-bin',
    `--database=${service}`,
    `--start-position=${position}`,
    `--stop-datetime=${dateTime(at)}`,
  ];
  await runTogether(limit, (signal) => {
    const reader = server.start('mariadb-binlog', [...options, ...files], signal);
    reader.stdin.end();
    const client = server.start('mariadb', [...CLIENT, service], signal);
    client.stdout.resume();
    return [client.ended, reader.ended, pipeline(reader.stdout, client.stdin, { signal })];
  });
};

/** Restores databases whose tables are out of the way: the dump, then the log up to the instant of the plan. */
export const restoreDatabases = async (
  restoring: Restoring,
  plan: RestorePlan,
  { services, report }: { services: readonly Service[]; report: (line: string) => void },
): Promise<void> => {
  await fetchLogs(restoring, plan.logs);
  for (const dump of selected(plan, services)) {
    await loadDump(restoring, dump);
    await repeatLog(restoring, dump, plan);
    report(`${dump.service}: restored`);
  }
};
