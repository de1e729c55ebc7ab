import { join } from 'node:path';
import { whenOrphaned } from '../child.ts';
import { findCompose, type Compose } from '../docker.ts';
import { StartFailure } from '../errors.ts';
import { lastLines } from '../programs.ts';
import type { Secrets } from '../secrets.ts';
import { waitUntil } from '../wait.ts';
import { kafkaAnswers } from './kafka.ts';
import { databaseAnswers } from './mariadb.ts';
import { SERVERS, type Part, type PartName, type Parts, type StartedParts } from './part.ts';
import { redisAnswers } from './redis.ts';

const COMPOSE_FILE = join(import.meta.dirname, '../../../../docker-compose.yml');
const LIMIT_MS = 120_000;

export type ComposePlace = { ports: readonly number[]; project: string; secrets: Secrets };

type Service = { service: string; url: string; isReady(): Promise<boolean> };

const servicesOf = ({ ports, secrets }: ComposePlace): Record<keyof Parts, Service> => {
  const [database = 0, sessions = 0, queue = 0, kafka = 0] = ports;
  const databaseUrl = `mysql://root:${secrets.DB_ROOT_PASSWORD}@127.0.0.1:${database}`;
  const redis = (service: string, port: number): Service => ({
    ...{ service, url: `redis://127.0.0.1:${port}`, isReady: () => redisAnswers(port) },
  });
  return {
    database: { service: 'mariadb', url: databaseUrl, isReady: () => databaseAnswers(databaseUrl) },
    redisSessions: redis('redis-sessions', sessions),
    redisQueue: redis('redis-queue', queue),
    kafka: { service: 'kafka', url: `127.0.0.1:${kafka}`, isReady: () => kafkaAnswers(kafka) },
  };
};

const openProject = ({ ports, project, secrets }: ComposePlace): Promise<Compose | null> => {
  const names = ['DATABASE_PORT', 'SESSIONS_REDIS_PORT', 'QUEUE_REDIS_PORT', 'KAFKA_PORT'];
  const env = Object.fromEntries(names.map((name, index) => [name, String(ports[index])]));
  return findCompose({ file: COMPOSE_FILE, project, env: { ...secrets, ...env } });
};

const untilReady = async ({ service, isReady }: Service): Promise<void> => {
  if (await waitUntil(isReady, { limitMs: LIMIT_MS })) return;
  const cached =
    service === 'mariadb' ? ' Its volume may be of another set of secrets: `make reset` forgets both.' : '';
  throw new StartFailure(`The container ${service} did not get ready within two minutes.${cached}`);
};

const controlled = (compose: Compose, service: Service): Part => ({
  url: service.url,
  stop: async () => void (await compose.run('stop', service.service)),
  kill: async () => void (await compose.run('kill', service.service)),
  start: async () => {
    await compose.run('start', service.service);
    await untilReady(service);
  },
});

/** Starts these parts from our docker-compose.yml; their volumes keep the data. */
export const startComposed = async (
  wanted: readonly PartName[],
  place: ComposePlace,
): Promise<StartedParts> => {
  const compose = await openProject(place);
  if (!compose) throw new StartFailure('Neither `docker compose` nor `docker-compose` is here.');
  const table = servicesOf(place);
  const servers = wanted.flatMap((name) => SERVERS[name]);
  const names = servers.map((server) => table[server].service);
  const stopAll = ['stop', '--timeout', '20', ...names];
  const release = whenOrphaned(compose.command, [...compose.args, ...stopAll], compose.env);
  const stop = async (): Promise<void> => {
    await compose.run(...stopAll);
    release();
  };
  try {
    const { ok, output } = await compose.run('up', '--detach', ...names);
    if (!ok) throw new StartFailure(`docker compose up failed:\n${lastLines(output, 5)}`);
    await Promise.all(servers.map((server) => untilReady(table[server])));
  } catch (error) {
    await stop();
    throw error;
  }
  const parts = Object.fromEntries(servers.map((server) => [server, controlled(compose, table[server])]));
  return { parts, stop };
};

/** Removes the containers and volumes of a project. */
export const removeComposed = async (place: ComposePlace): Promise<void> => {
  await (await openProject(place))?.run('down', '--volumes', '--remove-orphans');
};
