import { join } from 'node:path';
import { runWhenOrphaned } from '../host/child.ts';
import { environment, REPOSITORY } from '../host/config.ts';
import type { Print } from '../host/messages.ts';
import { programPath, run } from '../host/programs.ts';
import { DOWNLOAD_LIMIT_MS, type ReadinessCheck, runProgram, waitForReady } from '../host/wait.ts';
import { checkKafka } from './kafka.ts';
import { checkDatabase } from './mariadb.ts';
import { checkRedis } from './redis.ts';
import {
  type Resources,
  type Server,
  type ServerName,
  SERVERS_OF,
  type ServersRequest,
  type StartedServers,
} from './server.ts';

const PROBE_TIMEOUT_MS = 20_000;

export const isEngineRunning = (): Promise<boolean> =>
  run(programPath('docker'), ['info'], { timeout: PROBE_TIMEOUT_MS });

type Compose = {
  command: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  run(...args: string[]): Promise<boolean>;
};

type Project = Pick<Resources, 'ports' | 'secrets'>;

/** Returns docker compose for the project that these ports name, with the settings of its backing services. */
const openProject = ({ ports, secrets }: Project): Compose => {
  const command = programPath('docker');
  const [database, sessions, queue, kafka] = ports.map(String);
  const file = join(REPOSITORY, 'docker-compose.yml');
  const args = ['compose', '--project-name', `shortlist-${database}`, '--file', file];
  const env = {
    ...environment(),
    ...secrets,
    DATABASE_PORT: database,
    SESSIONS_REDIS_PORT: sessions,
    QUEUE_REDIS_PORT: queue,
    KAFKA_PORT: kafka,
  };
  return { command, args, env, run: (...more) => run(command, [...args, ...more], { env }) };
};

type Container = { service: string; url: string; check: ReadinessCheck };

const containersOf = ({ ports, secrets }: Project): Record<ServerName, Container> => {
  const [database = 0, sessions = 0, queue = 0, kafka = 0] = ports;
  const databaseUrl = `mysql://root:${secrets.DB_ROOT_PASSWORD}@127.0.0.1:${database}`;
  const redis = (service: string, port: number): Container => ({
    service,
    url: `redis://127.0.0.1:${port}`,
    check: () => checkRedis(port),
  });
  return {
    database: { service: 'mariadb', url: databaseUrl, check: () => checkDatabase(databaseUrl) },
    redisSessions: redis('redis-sessions', sessions),
    redisQueue: redis('redis-queue', queue),
    kafka: { service: 'kafka', url: `127.0.0.1:${kafka}`, check: () => checkKafka(kafka) },
  };
};

const waitForContainers = (containers: Container[], print: Print): Promise<void> =>
  waitForReady(
    containers.map(({ service, check }) => ({ name: `container ${service}`, check })),
    { print },
  );

const controlContainer = (container: Container, compose: Compose, print: Print): Server => ({
  url: container.url,
  stop: async () => void (await compose.run('stop', container.service)),
  kill: async () => void (await compose.run('kill', container.service)),
  start: async () => {
    await compose.run('start', container.service);
    await waitForContainers([container], print);
  },
});

/** Returns what ends the containers. It also runs when this process dies before it could. */
const createStop = (compose: Compose, services: string[], keepsData: boolean): (() => Promise<void>) => {
  const end = keepsData ? ['stop', '--timeout', '20', ...services] : ['down', '--volumes'];
  const cancel = runWhenOrphaned(compose.command, [...compose.args, ...end], compose.env);
  return async () => {
    await compose.run(...end);
    cancel();
  };
};

/** Starts these parts from docker-compose.yml, and waits until they respond. */
export const startContainers = async (request: ServersRequest): Promise<StartedServers> => {
  const { parts, resources, print } = request;
  const compose = openProject(resources);
  const containers = containersOf(resources);
  const names = parts.flatMap((part) => SERVERS_OF[part]);
  const chosen = names.map((name) => containers[name]);
  const services = chosen.map(({ service }) => service);
  const stop = createStop(compose, services, resources.keepsData);
  const up = {
    ...compose,
    name: 'docker compose up',
    args: [...compose.args, 'up', '--detach', ...services],
    logFile: join(resources.directory, 'docker-compose.log'),
  };
  try {
    await runProgram(up, { print, limitMs: DOWNLOAD_LIMIT_MS });
    await waitForContainers(chosen, print);
  } catch (error) {
    await stop();
    throw error;
  }
  const servers = names.map((name) => [name, controlContainer(containers[name], compose, print)] as const);
  return { servers: Object.fromEntries(servers), stop };
};

/** Removes the containers and volumes of a project. Without a Docker engine there are none. */
export const removeContainers = async (project: Project): Promise<void> => {
  if (await isEngineRunning()) await openProject(project).run('down', '--volumes', '--remove-orphans');
};
