import { StartError } from '../host/errors.ts';
import { isPortFree } from '../host/ports.ts';
import type { Print } from '../host/print.ts';
import { findProgram } from '../host/programs.ts';
import { waitUntil } from '../waiting/wait-until.ts';
import { getKafkaJars } from './kafka-jars.ts';
import { startKafka } from './kafka.ts';
import { startMariadb } from './mariadb.ts';
import { startRedis } from './redis.ts';
import { requirePrograms } from './required-programs.ts';
import type { Resources } from './resources.ts';
import { type PartName, type Server, type Servers, SERVERS_OF, type StartedServers } from './server.ts';

const requireProgram = (name: string): string => {
  const path = findProgram(name);
  if (!path) throw new StartError(`${name} is missing on this machine.`);
  return path;
};

type Starters = { [Name in keyof Servers]-?: () => Promise<Server> };

const createStarters = ({ directory, ports, rootPassword }: Resources, print: Print): Starters => {
  const [database = 0, sessions = 0, queue = 0, kafka = 0, controllerPort = 0] = ports;
  const common = { directory, print };
  const redis = (role: 'sessions' | 'queue', port: number): Promise<Server> =>
    startRedis({ ...common, program: requireProgram('redis-server'), role, port });
  return {
    database: () =>
      startMariadb({
        ...common,
        program: requireProgram('mariadbd'),
        installer: requireProgram('mariadb-install-db'),
        port: database,
        rootPassword,
      }),
    redisSessions: () => redis('sessions', sessions),
    redisQueue: () => redis('queue', queue),
    kafka: async () => {
      const jars = await getKafkaJars(print);
      return startKafka({ ...common, java: requireProgram('java'), jars, port: kafka, controllerPort });
    },
  };
};

const requireFreePorts = async ({ ports, portsLimitMs }: Resources): Promise<void> => {
  for (const port of ports) {
    if (await waitUntil(() => isPortFree(port), { limitMs: portsLimitMs, everyMs: 250 })) continue;
    throw new StartError(
      `Port ${port} is in use by another program; end that one, or choose other ports with PORT=… (this is PORT + 20 … 24).`,
    );
  }
};

/** Starts these parts as children of this process: all of them, or none is left running. */
export const startNativeServers = async (
  parts: readonly PartName[],
  resources: Resources,
  print: Print,
): Promise<StartedServers> => {
  await requirePrograms(parts, print);
  await requireFreePorts(resources);
  const starters = createStarters(resources, print);
  const names = parts.flatMap((name) => SERVERS_OF[name]);
  const results = await Promise.allSettled(names.map((name) => starters[name]()));
  const servers: Servers = {};
  results.forEach((result, index) => {
    const name = names[index];
    if (name && result.status === 'fulfilled') servers[name] = result.value;
  });
  const failed = results.find((result) => result.status === 'rejected');
  const stop = async (): Promise<void> => {
    await Promise.all(Object.values(servers).map((server) => server.stop()));
  };
  if (!failed) return { servers, stop };
  await stop();
  throw failed.reason;
};
