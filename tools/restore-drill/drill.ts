// A database that is set back to an earlier instant while the product is used, and what follows.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { minutes, seconds } from '@shortlist/contracts/durations';
import { randomFrom } from '@shortlist/kit/testing/sample';
import { startSystem, type System, WITHOUT_LIMITS } from '@shortlist/local/system';
import { createHistory, type History } from '../../harness/history.ts';
import { waitUntilSettled } from '../../harness/settled.ts';
import { simulateWhile } from '../faults/recruiter.ts';

/** The services that `shortlist restored` brings up to date. */
const SERVICES = ['identity', 'billing', 'credits', 'profile'] as const;
type Service = (typeof SERVICES)[number];

const RECRUITERS = 4;
const LIMIT_MS = minutes(5);
/** Settled before the round, so that a breach is of the restore. */
const BEFORE_MS = minutes(1);

const execute = promisify(execFile);
/** Runs a tool of MariaDB, which reads the password from the environment. */
const run = (system: System, tool: string, args: string[]) => {
  const { hostname, port, username, password } = new URL(system.backing.databaseAdminUrl);
  const connection = [`--host=${hostname}`, `--port=${port}`, `--user=${username}`];
  return execute(tool, [...connection, ...args], { env: { ...process.env, MYSQL_PWD: password } });
};

const fileOf = ({ directory }: System, service: Service): string => join(directory, `${service}.sql`);

const dump = async (system: System, service: Service): Promise<void> => {
  const options = [
    '--single-transaction',
    '--routines',
    '--triggers',
    `--result-file=${fileOf(system, service)}`,
  ];
  await run(system, 'mariadb-dump', [...options, service]);
};

/** Replaces the database by the dump. */
const setBack = async (system: System, service: Service): Promise<void> => {
  const recreate = `DROP DATABASE ${service}; CREATE DATABASE ${service} CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci`;
  await run(system, 'mariadb', ['-e', recreate]);
  await run(system, 'mariadb', [service, '-e', `source ${fileOf(system, service)}`]);
};

type Round = { system: System; service: Service; random: () => number; history: History };

/** Uses the product, sets one service's database back by some seconds, and brings it up to date. */
const setBackAndRestore = async (round: Round): Promise<string> => {
  const { system, service, random } = round;
  await simulateWhile(round, RECRUITERS, async () => {
    await sleep(seconds(5 + random() * 5));
    await dump(system, service);
    await sleep(seconds(5 + random() * 10));
  });
  await waitUntilSettled(system, createHistory(), BEFORE_MS);
  await system.process(service).stop();
  await setBack(system, service);
  await system.operate(service, ['restored', '--yes']);
  await system.process(service).restart();
  const log = await readFile(join(system.directory, `logs/${service}-operator.log`), 'utf8');
  return log.slice(log.lastIndexOf(`Bringing ${service}`)); // other commands have written before
};

type Drill = { seed: number; rounds: number; print: (line: string) => void };

/** Runs rounds, each with a random service. Returns the breaches of the first round that has some. */
export const runDrill = async ({ seed, rounds, print }: Drill) => {
  const random = randomFrom(seed);
  const system = await startSystem({ restart: true, env: { bff: WITHOUT_LIMITS } });
  try {
    for (let index = 0; index < rounds; index += 1) {
      const service = SERVICES[Math.floor(random() * SERVICES.length)] as Service;
      const history = createHistory();
      const report = await setBackAndRestore({ system, service, random, history });
      // What credits alone knew is lost: the charges since.
      const kept = service === 'credits' ? createHistory() : history;
      const { breaches, ms } = await waitUntilSettled(system, kept, LIMIT_MS);
      print(
        `round ${index + 1}: ${service} set back, ${breaches.length} breaches after ${(ms / 1_000).toFixed(1)} s`,
      );
      for (const line of report.trimEnd().split('\n')) print(`    ${line}`);
      if (breaches.length > 0) return breaches;
    }
    return [];
  } finally {
    await system.stop();
  }
};
