import { environment } from '../host/config.ts';
import { messageOf, type Print } from '../host/messages.ts';
import { isEngineRunning, startContainers } from './containers.ts';
import { startNativeServers } from './native-servers.ts';
import {
  allocateResources,
  type PartName,
  type ResourceOptions,
  type Server,
  type ServerControl,
  type ServerName,
  type Servers,
  type ServersRequest,
  type StartedServers,
} from './server.ts';

export type BackingOptions = ResourceOptions & {
  /** The parts to start; all of them by default. */
  parts?: readonly PartName[];
  print?: Print | undefined;
};

/** The address of a part that was not requested is empty. The control of a server that was not started here rejects. */
export type Backing = Record<ServerName, ServerControl> & {
  databaseAdminUrl: string;
  sessionsRedisUrl: string;
  queueRedisUrl: string;
  kafkaBrokers: string;
  stop(): Promise<void>;
};

const notStartedHere = (url: string): Server => {
  const refuse = (): Promise<never> => Promise.reject(new Error('This server was not started here.'));
  return { url, stop: refuse, start: refuse, kill: refuse };
};

/** Returns the servers whose addresses the environment gives. Redis counts only with both addresses. */
const findExternalServers = (parts: readonly PartName[]): Servers => {
  const { DATABASE_ADMIN_URL, SESSIONS_REDIS_URL, QUEUE_REDIS_URL, KAFKA_BROKERS } = environment();
  const servers: Servers = {};
  if (parts.includes('database') && DATABASE_ADMIN_URL) servers.database = notStartedHere(DATABASE_ADMIN_URL);
  if (parts.includes('redis') && SESSIONS_REDIS_URL && QUEUE_REDIS_URL) {
    servers.redisSessions = notStartedHere(SESSIONS_REDIS_URL);
    servers.redisQueue = notStartedHere(QUEUE_REDIS_URL);
  }
  if (parts.includes('kafka') && KAFKA_BROKERS) servers.kafka = notStartedHere(KAFKA_BROKERS);
  return servers;
};

const startWithEngine = async (request: ServersRequest): Promise<StartedServers | null> => {
  const { parts, print } = request;
  if (!(await isEngineRunning())) {
    print('No Docker engine is running.');
    return null;
  }
  print(`A Docker engine is running: starting ${parts.join(', ')} in containers …`);
  try {
    return await startContainers(request);
  } catch (error) {
    print(`The containers could not be used. ${messageOf(error)}`);
    return null;
  }
};

const withoutAddress = (parts: readonly PartName[], external: Servers): PartName[] =>
  parts.filter((name) => !(name === 'redis' ? external.redisQueue : external[name]));

const ALL_PARTS: readonly PartName[] = ['database', 'redis', 'kafka'];

/** Returns the parts that a start has to start itself. */
export const listPartsToStart = (): PartName[] => withoutAddress(ALL_PARTS, findExternalServers(ALL_PARTS));

const resolveServers = async (request: ServersRequest): Promise<StartedServers> => {
  const { parts, print } = request;
  const external = findExternalServers(parts);
  const missing = withoutAddress(parts, external);
  const found = parts.filter((name) => !missing.includes(name));
  if (found.length > 0) print(`The environment gives the address of: ${found.join(', ')}.`);
  if (missing.length === 0) return { servers: external, stop: () => Promise.resolve() };
  let started = await startWithEngine({ ...request, parts: missing });
  if (!started) {
    print(`Starting ${missing.join(', ')} as programs of this machine …`);
    started = await startNativeServers({ ...request, parts: missing });
  }
  return { servers: { ...external, ...started.servers }, stop: started.stop };
};

/**
 * Finds or starts the backing services: addresses from the environment, then a Docker engine, then programs of this
 * machine. Throws a `StartError` with the way out when none works; nothing is left running then.
 */
export const startBacking = async (options: BackingOptions = {}): Promise<Backing> => {
  const { parts = ALL_PARTS, print = () => undefined } = options;
  const resources = await allocateResources(options);
  const resolved = await resolveServers({ parts, resources, print }).catch(async (error: unknown) => {
    await resources.release();
    throw error;
  });
  const absent = notStartedHere('');
  const none = { database: absent, redisSessions: absent, redisQueue: absent, kafka: absent };
  const servers = { ...none, ...resolved.servers };
  return {
    ...servers,
    databaseAdminUrl: servers.database.url,
    sessionsRedisUrl: servers.redisSessions.url,
    queueRedisUrl: servers.redisQueue.url,
    kafkaBrokers: servers.kafka.url,
    stop: async () => {
      await resolved.stop();
      await resources.release();
    },
  };
};
