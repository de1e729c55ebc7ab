import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { runWhenOrphaned } from '../host/child.ts';
import { messageOf, StartError } from '../host/errors.ts';
import type { Print } from '../host/print.ts';
import { DOWNLOAD_LIMITS, runProgram } from '../waiting/run-program.ts';
import { type ReadinessCheck, waitForReady } from '../waiting/wait-for-ready.ts';
import { findCompose, type Compose } from './docker.ts';
import { checkKafka } from './kafka.ts';
import { checkDatabase } from './mariadb.ts';
import { checkRedis } from './redis.ts';
import type { Resources } from './resources.ts';
import { type PartName, type Server, type ServerName, SERVERS_OF, type StartedServers } from './server.ts';

const COMPOSE_FILE = join(import.meta.dirname, '../../../../docker-compose.yml');

type Project = Pick<Resources, 'ports' | 'project' | 'secrets'>;
type Container = { service: string; url: string; check: ReadinessCheck };

const containersOf = ({ ports, secrets }: Project): Record<ServerName, Container> => {
  const [database = 0, sessions = 0, queue = 0, kafka = 0] = ports;
  const databaseUrl = `mysql://root:${secrets.DB_ROOT_PASSWORD}@127.0.0.1:${database}`;
  const redis = (service: string, port: number): Container => ({
    ...{ service, url: `redis://127.0.0.1:${port}`, check: () => checkRedis(port) },
  });
  return {
    database: { service: 'mariadb', url: databaseUrl, check: () => checkDatabase(databaseUrl) },
    redisSessions: redis('redis-sessions', sessions),
    redisQueue: redis('redis-queue', queue),
    kafka: { service: 'kafka', url: `127.0.0.1:${kafka}`, check: () => checkKafka(kafka) },
  };
};

const openProject = ({ ports, project, secrets }: Project): Promise<Compose | null> => {
  const names = ['DATABASE_PORT', 'SESSIONS_REDIS_PORT', 'QUEUE_REDIS_PORT', 'KAFKA_PORT'];
  const env = Object.fromEntries(names.map((name, index) => [name, String(ports[index])]));
  return findCompose({ file: COMPOSE_FILE, project, env: { ...secrets, ...env } });
};

const waitForContainers = async (containers: Container[], print: Print): Promise<void> => {
  const targets = containers.map(({ service, check }) => ({ name: `the container ${service}`, check }));
  try {
    await waitForReady(targets, { print });
  } catch (error) {
    const hint = 'If its volume was made with other secrets, `make reset` deletes both.';
    throw messageOf(error).includes('Access denied') ? new StartError(`${messageOf(error)} ${hint}`) : error;
  }
};

type Running = { compose: Compose; print: Print };

const controlContainer = (container: Container, { compose, print }: Running): Server => ({
  url: container.url,
  stop: async () => void (await compose.run('stop', container.service)),
  kill: async () => void (await compose.run('kill', container.service)),
  start: async () => {
    await compose.run('start', container.service);
    await waitForContainers([container], print);
  },
});

/** Starts these parts from docker-compose.yml; their volumes keep the data. */
export const startComposeServers = async (
  parts: readonly PartName[],
  resources: Resources,
  print: Print,
): Promise<StartedServers> => {
  const compose = await openProject(resources);
  if (!compose) throw new StartError('Neither `docker compose` nor `docker-compose` is installed.');
  const containers = containersOf(resources);
  const names = parts.flatMap((part) => SERVERS_OF[part]);
  const services = names.map((name) => containers[name].service);
  const stopAll = ['stop', '--timeout', '20', ...services];
  const cancel = runWhenOrphaned(compose.command, [...compose.args, ...stopAll], compose.env);
  const stop = async (): Promise<void> => {
    await compose.run(...stopAll);
    cancel();
  };
  const { command, args, env } = compose;
  const logFile = join(resources.directory, 'docker-compose.log');
  const up = {
    name: 'docker compose up',
    command,
    args: [...args, 'up', '--detach', ...services],
    env,
    logFile,
  };
  try {
    await mkdir(resources.directory, { recursive: true });
    await runProgram(up, { print, limits: DOWNLOAD_LIMITS });
    await waitForContainers(
      names.map((name) => containers[name]),
      print,
    );
  } catch (error) {
    await stop();
    throw error;
  }
  const running = { compose, print };
  const servers = Object.fromEntries(
    names.map((name) => [name, controlContainer(containers[name], running)]),
  );
  return { servers, stop };
};

/** Removes the containers and volumes of a project. */
export const removeComposeProject = async (project: Project): Promise<void> => {
  await (await openProject(project))?.run('down', '--volumes', '--remove-orphans');
};
