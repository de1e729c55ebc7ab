import { StartFailure } from '../errors.ts';
import { findProgram } from '../programs.ts';
import { isPortFree } from '../ports.ts';
import type { Tell } from '../tell.ts';
import { waitUntil } from '../wait.ts';
import { getKafkaJars } from './kafka-jars.ts';
import { startKafka } from './kafka.ts';
import { startMariadb } from './mariadb.ts';
import { SERVERS, type Part, type PartName, type Parts, type StartedParts } from './part.ts';
import { startRedis } from './redis.ts';
import { requirePrograms } from './required-programs.ts';

export type NativePlace = {
  directory: string;
  /** database, sessions, queue, Kafka, Kafka's controller */
  ports: readonly number[];
  rootPassword: string;
};

const get = (program: string): string => {
  const path = findProgram(program);
  if (!path) throw new StartFailure(`${program} is missing on this machine.`);
  return path;
};

type Starters = { [Name in keyof Parts]-?: () => Promise<Part> };

const starters = ({ directory, ports, rootPassword }: NativePlace, tell: Tell): Starters => {
  const [database = 0, sessions = 0, queue = 0, kafka = 0, controllerPort = 0] = ports;
  const redis = (role: 'sessions' | 'queue', port: number): Promise<Part> =>
    startRedis({ program: get('redis-server'), role, directory, port });
  return {
    database: () =>
      startMariadb({
        program: get('mariadbd'),
        installer: get('mariadb-install-db'),
        directory,
        port: database,
        rootPassword,
      }),
    redisSessions: () => redis('sessions', sessions),
    redisQueue: () => redis('queue', queue),
    kafka: async () =>
      startKafka({
        java: get('java'),
        jars: await getKafkaJars(tell),
        directory,
        port: kafka,
        controllerPort,
      }),
  };
};

// Servers of a run that was killed may still be writing to their disks.
const PORTS_LIMIT_MS = 3_000;

const requireFreePorts = async (ports: readonly number[]): Promise<void> => {
  for (const port of ports) {
    if (await waitUntil(() => isPortFree(port), { limitMs: PORTS_LIMIT_MS, everyMs: 250 })) continue;
    throw new StartFailure(
      `Port ${port} is in use by another program; end that one, or choose other ports with PORT=… (this is PORT + 20 … 24).`,
    );
  }
};

/** Starts these parts as our own children. All of them, or none is left running. */
export const startNative = async (
  wanted: readonly PartName[],
  place: NativePlace,
  tell: Tell,
): Promise<StartedParts> => {
  await requirePrograms(wanted, tell);
  await requireFreePorts(place.ports);
  const start = starters(place, tell);
  const names = wanted.flatMap((name) => SERVERS[name]);
  const results = await Promise.allSettled(names.map((name) => start[name]()));
  const parts: Parts = {};
  results.forEach((result, index) => {
    const name = names[index];
    if (name && result.status === 'fulfilled') parts[name] = result.value;
  });
  const failed = results.find((result) => result.status === 'rejected');
  const stop = async (): Promise<void> => {
    await Promise.all(Object.values(parts).map((part) => part.stop()));
  };
  if (!failed) return { parts, stop };
  await stop();
  throw failed.reason;
};
