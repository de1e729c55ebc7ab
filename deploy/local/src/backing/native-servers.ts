import { mkdir } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { cacheDirectory } from '../host/config.ts';
import { messageOf, type Print, StartError } from '../host/messages.ts';
import { requireFreePorts } from '../host/ports.ts';
import { findProgram, programPath, readOutput } from '../host/programs.ts';
import { DOWNLOAD_LIMIT_MS, runProgram } from '../host/wait.ts';
import { hasKafkaJars, startKafka } from './kafka.ts';
import { startMariadb } from './mariadb.ts';
import { startRedis } from './redis.ts';
import {
  type PartName,
  type Resources,
  type Servers,
  SERVERS_OF,
  type ServersRequest,
  type StartedServers,
} from './server.ts';

type Requirement = {
  program: string;
  title: string;
  aptPackage: string;
  /** The program that prints its version, and the oldest one that is enough. */
  oldest?: { program: string; version: readonly [number, number] };
};

const MAVEN: Requirement = { program: 'mvn', title: 'Maven', aptPackage: 'maven' };
const REQUIREMENTS: Record<PartName, Requirement[]> = {
  database: [
    {
      program: 'mariadb-install-db',
      title: 'MariaDB 10.11 or newer',
      aptPackage: 'mariadb-server',
      oldest: { program: 'mariadbd', version: [10, 11] },
    },
  ],
  redis: [
    {
      program: 'redis-server',
      title: 'Redis 6.2 or newer',
      aptPackage: 'redis-server',
      oldest: { program: 'redis-server', version: [6, 2] },
    },
  ],
  kafka: [
    {
      program: 'java',
      title: 'Java 17 or newer',
      aptPackage: 'openjdk-17-jre-headless',
      oldest: { program: 'java', version: [17, 0] },
    },
    MAVEN,
  ],
};

const listRequirements = (parts: readonly PartName[]): Requirement[] =>
  parts
    .flatMap((part) => REQUIREMENTS[part])
    .filter((requirement) => requirement !== MAVEN || !hasKafkaJars());

const listMissing = (parts: readonly PartName[]): Requirement[] =>
  listRequirements(parts).filter(({ program }) => findProgram(program) === null);

/** As in `openjdk 17.0.15`, `Redis server v=7.0.15` and `mariadbd  Ver 10.11.19`. */
const VERSION = /(?:openjdk |java |v=|Ver )(\d+)(?:\.(\d+))?/;

const isOutdated = async ({ oldest }: Requirement): Promise<boolean> => {
  if (oldest === undefined) return false;
  const output = await readOutput(programPath(oldest.program), ['--version']);
  const [, major, minor = 0] = VERSION.exec(output ?? '') ?? [];
  if (major === undefined) return true;
  const [oldestMajor, oldestMinor] = oldest.version;
  return Number(major) < oldestMajor || (Number(major) === oldestMajor && Number(minor) < oldestMinor);
};

// Debian's packages start their daemons at installation unless policy-rc.d forbids it. Slim images lack man1, without which the
// installation of Java fails (Debian bug 863199). The lists may be fresh enough although the update of one of them fails.
const INSTALL = `
policy=/usr/sbin/policy-rc.d
if [ ! -e $policy ]; then
  trap 'rm -f $policy' EXIT
  trap 'exit 143' TERM
  printf '#!/bin/sh\\nexit 101\\n' >$policy && chmod 755 $policy
fi
mkdir -p /usr/share/man/man1
export DEBIAN_FRONTEND=noninteractive
apt-get -q update
apt-get -q -y -o DPkg::Lock::Timeout=300 install --no-install-recommends "$@"
`;

const install = async (packages: string[], print: Print): Promise<void> => {
  print(`Installing ${packages.join(', ')} with apt-get (once) …`);
  await mkdir(cacheDirectory(), { recursive: true });
  const program = {
    name: 'apt-get install',
    command: '/bin/sh',
    args: ['-c', INSTALL, 'sh', ...packages],
    logFile: join(cacheDirectory(), 'apt.log'),
  };
  await runProgram(program, { print, limitMs: DOWNLOAD_LIMIT_MS });
};

/** Whether this user may install programs: as root on Debian. */
const canInstall = (): boolean => userInfo().uid === 0 && findProgram('apt-get') !== null;

const describeMissing = (missing: readonly Requirement[]): string => {
  const names = missing.map(({ title }) => title).join(', ');
  const packages = missing.map(({ aptPackage }) => aptPackage).join(' ');
  return (
    `Missing on this machine: ${names}. Install them (on Debian: apt-get install ${packages}), or start Docker, ` +
    `or set DATABASE_ADMIN_URL, SESSIONS_REDIS_URL, QUEUE_REDIS_URL and KAFKA_BROKERS.`
  );
};

/** What these parts lack on this machine, with the way out; empty when there is nothing. */
export type MissingPrograms = {
  text: string;
  /** Whether a start installs them itself. */
  isInstalledByStart: boolean;
};

/** Returns the programs of these parts that are missing, and then those that are too old or do not run; null when all are there. */
export const findMissingPrograms = async (parts: readonly PartName[]): Promise<MissingPrograms | null> => {
  const missing = listMissing(parts);
  if (missing.length > 0) return { text: describeMissing(missing), isInstalledByStart: canInstall() };
  const requirements = listRequirements(parts);
  const outdated = await Promise.all(requirements.map(isOutdated));
  const old = requirements.filter((_, index) => outdated[index]);
  return old.length === 0 ? null : { text: describeMissing(old), isInstalledByStart: false };
};

/** Throws a `StartError` unless the programs of these parts are installed; as root on Debian it installs them first. */
const requirePrograms = async (parts: readonly PartName[], print: Print): Promise<void> => {
  let missing = listMissing(parts);
  let cause = '';
  if (missing.length > 0 && canInstall()) {
    const packages = missing.map(({ aptPackage }) => aptPackage);
    cause = await install(packages, print).then(() => '', messageOf);
    missing = listMissing(parts);
  }
  if (missing.length === 0) return;
  throw new StartError(`${describeMissing(missing)}${cause && ` ${cause}`}`);
};

// Backups need the log for the time between them. Nobody restores what ends with its server, so tests and benchmarks do without. It costs the
// bytes of each change a second time, and a write of the file for each commit; the flush is left to the system, because a developer can lose
// the last second.
const BINARY_LOG = [
  '--log-bin=binlog',
  '--server-id=1',
  '--binlog-format=ROW',
  '--max-binlog-size=64M',
  '--binlog-expire-logs-seconds=259200',
];

const createStarters = ({ directory, ports, secrets, hasBinaryLog }: Resources, print: Print) => {
  const [database = 0, sessions = 0, queue = 0, kafka = 0, controllerPort = 0] = ports;
  const rootPassword = secrets.DB_ROOT_PASSWORD;
  return {
    database: () =>
      startMariadb({ directory, port: database, rootPassword, more: hasBinaryLog ? BINARY_LOG : [], print }),
    redisSessions: () => startRedis({ directory, role: 'sessions', port: sessions, print }),
    redisQueue: () => startRedis({ directory, role: 'queue', port: queue, print }),
    kafka: () => startKafka({ directory, port: kafka, controllerPort, print }),
  };
};

/** Starts these parts as children of this process: all of them, or none is left running. */
export const startNativeServers = async (request: ServersRequest): Promise<StartedServers> => {
  const { parts, resources, print } = request;
  await requirePrograms(parts, print);
  await requireFreePorts(resources.ports);
  const starters = createStarters(resources, print);
  const names = parts.flatMap((name) => SERVERS_OF[name]);
  const servers: Servers = {};
  const results = await Promise.allSettled(
    names.map(async (name) => {
      servers[name] = await starters[name]();
    }),
  );
  const stop = async (): Promise<void> => {
    await Promise.all(Object.values(servers).map((server) => server.stop()));
  };
  const failed = results.find((result) => result.status === 'rejected');
  if (!failed) return { servers, stop };
  await stop();
  throw failed.reason;
};
