import { environment } from '../host/config.ts';
import { messageOf } from '../host/errors.ts';
import type { Print } from '../host/print.ts';
import { startComposeServers } from './compose-servers.ts';
import { isEngineRunning } from './docker.ts';
import { findExternalServers, missingFrom } from './external-servers.ts';
import { startNativeServers } from './native-servers.ts';
import { allocateResources, type ResourceOptions, type Resources } from './resources.ts';
import {
  type PartName,
  refusingControl,
  type Server,
  type ServerControl,
  type StartedServers,
} from './server.ts';
import { startTestContainers } from './test-containers.ts';

export type BackingOptions = ResourceOptions & {
  /** The parts to start; all of them by default. */
  parts?: readonly PartName[];
  /** With a Docker engine, tests get disposable containers and a run those of docker-compose.yml. Default: test. */
  purpose?: 'test' | 'run';
  print?: Print;
};

/** A part that was not requested has an empty address, and its control rejects. */
export type Backing = {
  databaseAdminUrl: string;
  sessionsRedisUrl: string;
  queueRedisUrl: string;
  kafkaBrokers: string;
  database: ServerControl;
  redisSessions: ServerControl;
  redisQueue: ServerControl;
  kafka: ServerControl;
  stop(): Promise<void>;
};

const ALL: readonly PartName[] = ['database', 'redis', 'kafka'];
const ABSENT: Server = { url: '', ...refusingControl('This part was not requested.') };
const ALL_ABSENT = { database: ABSENT, redisSessions: ABSENT, redisQueue: ABSENT, kafka: ABSENT };

type Request = { parts: readonly PartName[]; resources: Resources; purpose: 'test' | 'run'; print: Print };

const startWithEngine = async (request: Request): Promise<StartedServers | null> => {
  const { parts, resources, purpose, print } = request;
  if (!(await isEngineRunning())) {
    print('No Docker engine is running.');
    return null;
  }
  print(`A Docker engine is running: starting ${parts.join(', ')} in containers …`);
  try {
    const start = purpose === 'run' ? startComposeServers : startTestContainers;
    return await start(parts, resources, print);
  } catch (error) {
    print(`The containers could not be used. ${messageOf(error)}`);
    return null;
  }
};

const startMissing = async (request: Request): Promise<StartedServers> => {
  const { parts, resources, print } = request;
  const started = await startWithEngine(request);
  if (started) return started;
  print(`Starting ${parts.join(', ')} as programs of this machine …`);
  return startNativeServers(parts, resources, print);
};

const resolveServers = async (request: Request): Promise<StartedServers> => {
  const { parts, print } = request;
  const external = findExternalServers(environment(), parts);
  const missing = missingFrom(external, parts);
  const found = parts.filter((name) => !missing.includes(name));
  if (found.length > 0) print(`The environment gives the address of: ${found.join(', ')}.`);
  if (missing.length === 0) return { servers: external, stop: () => Promise.resolve() };
  const started = await startMissing({ ...request, parts: missing });
  return { servers: { ...external, ...started.servers }, stop: started.stop };
};

/**
 * Finds or starts the backing services: addresses from the environment, then a Docker engine, then programs of this
 * machine. Throws a `StartError` with the way out when none works; nothing is left running then.
 */
export const startBacking = async (options: BackingOptions = {}): Promise<Backing> => {
  const { parts = ALL, purpose = 'test', print = () => undefined } = options;
  const resources = await allocateResources(options);
  const request = { parts, resources, purpose, print };
  const resolved = await resolveServers(request).catch(async (error: unknown) => {
    await resources.release();
    throw error;
  });
  const { database, redisSessions, redisQueue, kafka } = { ...ALL_ABSENT, ...resolved.servers };
  const stop = async (): Promise<void> => {
    await resolved.stop();
    await resources.release();
  };
  return {
    databaseAdminUrl: database.url,
    sessionsRedisUrl: redisSessions.url,
    queueRedisUrl: redisQueue.url,
    kafkaBrokers: kafka.url,
    ...{ database, redisSessions, redisQueue, kafka, stop },
  };
};
