import { mkdir } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { cacheDirectory } from '../host/config.ts';
import { messageOf, type Print, StartError } from '../host/messages.ts';
import { requireFreePorts } from '../host/ports.ts';
import { findProgram } from '../host/programs.ts';
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

type Requirement = { program: string; title: string; aptPackage: string };

const MAVEN = { program: 'mvn', title: 'Maven', aptPackage: 'maven' };
const REQUIREMENTS: Record<PartName, Requirement[]> = {
  database: [
    { program: 'mariadb-install-db', title: 'MariaDB 10.11 or newer', aptPackage: 'mariadb-server' },
  ],
  redis: [{ program: 'redis-server', title: 'Redis 6.2 or newer', aptPackage: 'redis-server' }],
  kafka: [{ program: 'java', title: 'Java 17 or newer', aptPackage: 'openjdk-17-jre-headless' }, MAVEN],
};

const listMissing = (parts: readonly PartName[]): Requirement[] =>
  parts
    .flatMap((part) => REQUIREMENTS[part])
    .filter((requirement) => requirement !== MAVEN || !hasKafkaJars())
    .filter(({ program }) => findProgram(program) === null);

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

/** Throws a `StartError` unless the programs of these parts are installed; as root on Debian it installs them first. */
const requirePrograms = async (parts: readonly PartName[], print: Print): Promise<void> => {
  let missing = listMissing(parts);
  let cause = '';
  const packages = missing.map(({ aptPackage }) => aptPackage);
  if (missing.length > 0 && userInfo().uid === 0 && findProgram('apt-get') !== null) {
    cause = await install(packages, print).then(() => '', messageOf);
    missing = listMissing(parts);
  }
  if (missing.length === 0) return;
  const names = missing.map(({ title }) => title).join(', ');
  throw new StartError(
    `Missing on this machine: ${names}. Install them (on Debian: apt-get install ${packages.join(' ')}), or start Docker, ` +
      `or set DATABASE_ADMIN_URL, SESSIONS_REDIS_URL, QUEUE_REDIS_URL and KAFKA_BROKERS.${cause && ` ${cause}`}`,
  );
};

const createStarters = ({ directory, ports, secrets }: Resources, print: Print) => {
  const [database = 0, sessions = 0, queue = 0, kafka = 0, controllerPort = 0] = ports;
  const rootPassword = secrets.DB_ROOT_PASSWORD;
  return {
    database: () => startMariadb({ directory, port: database, rootPassword, print }),
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
