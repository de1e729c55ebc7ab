import { topicOf, type Emitter } from '@shortlist/contracts/events/define';
import type { Express } from 'express';
import type { EntitySchema, MigrationInterface } from 'typeorm';
import type { Clock } from './process/clock.ts';
import { variable } from './process/config.ts';
import { ensureTopics, startConsumer } from './messaging/consumer.ts';
import type { EventHandlers } from './messaging/event-handlers.ts';
import { connect, createDb, type Db } from './data/db.ts';
import { byServiceToken, createRouter, type Router } from './http/router.ts';
import { type Check, createHealth } from './http/health.ts';
import { createHttp, serve, type Serving } from './http/http.ts';
import { createKafka } from './messaging/kafka.ts';
import type { Bus, RunningConsumer } from './messaging/bus.ts';
import type { Metrics } from './process/metrics.ts';
import { type PruneRule, startPruning } from './messaging/pruning.ts';
import { startRelay } from './messaging/relay.ts';
import type { Lifecycle } from './process/lifecycle.ts';
import { createTokenVerifier } from './http/service-token.ts';

export type ServiceConfig = {
  HOST: string;
  PORT: number;
  LOG_LEVEL: string;
  ROLES: string[];
  DATABASE_URL: string;
  KAFKA_BROKERS: string[];
  SERVICE_TOKEN_KEY: string;
};

/** The variables that every service with a database reads. */
export const serviceVariables = {
  HOST: variable.host,
  PORT: variable.port,
  LOG_LEVEL: variable.logLevel,
  ROLES: variable.roles,
  DATABASE_URL: variable.url('mysql'),
  KAFKA_BROKERS: variable.list,
  SERVICE_TOKEN_KEY: variable.secret,
};

export type Service = {
  name: Emitter | 'worker';
  entities: EntitySchema[];
  migrations: (new () => MigrationInterface)[];
  /** Doors that want the raw stream, ahead of body parsing. */
  before?: (app: Express) => void;
  endpoints?: (router: Router) => void;
  handlers: EventHandlers;
  /** Rows of its own that are not kept for ever. */
  prune?: readonly PruneRule[];
  /** What else must answer for the process to be ready. */
  checks?: Readonly<Record<string, Check>>;
};

type Parts = {
  lifecycle: Lifecycle;
  config: ServiceConfig;
  clock: Clock;
  db: Db;
  metrics: Metrics;
  /** Another broker than Kafka: a test's own. */
  bus?: Bus;
};
type Open = Parts & { service: Service; bus: Bus; runningConsumer: () => RunningConsumer | null };

/** Requests are answered without a broker; only a process that is there to hear is not ready while it does not. */
const consumerCheck = ({
  config: { ROLES: roles },
  service,
  runningConsumer,
}: Pick<Open, 'config' | 'service' | 'runningConsumer'>): Readonly<Record<string, Check>> => {
  if (!roles.includes('consumers') || roles.includes('http') || service.handlers.length === 0) return {};
  return {
    consumer: () =>
      runningConsumer()?.healthy() ? Promise.resolve() : Promise.reject(new Error('hears nothing')),
  };
};

const openHttp = async ({
  lifecycle,
  config,
  clock,
  db,
  metrics,
  service,
  runningConsumer,
}: Open): Promise<Serving> => {
  const health = createHealth({
    database: () => db.query('SELECT 1'),
    ...service.checks,
    ...consumerCheck({ config, service, runningConsumer }),
  });
  const verify = createTokenVerifier({ key: config.SERVICE_TOKEN_KEY, audience: service.name, clock });
  const app = createHttp(
    { log: lifecycle.log, health, metrics },
    {
      ...(service.before && config.ROLES.includes('http') ? { before: service.before } : {}),
      routes: (routes) => {
        if (!config.ROLES.includes('http') || !service.endpoints) return;
        const router = createRouter(routes, { identify: byServiceToken(verify) });
        service.endpoints(router);
        router.close();
      },
    },
  );
  const serving = await serve(app, { host: config.HOST, port: config.PORT });
  lifecycle.onStop('http', serving.close);
  return serving;
};

/** Makes the database handle of a service; it connects when the service opens. */
export const createServiceDb = (config: ServiceConfig, parts: Pick<Service, 'entities' | 'migrations'>): Db =>
  createDb({ url: config.DATABASE_URL, ...parts });

/**
 * Opens a service in its roles: its doors first, so that it is alive while it waits for what it stands on, then the
 * database with its migrations, then the relay and the consumer. Ends in the reverse order.
 */
export const openService = async (parts: Parts, service: Service): Promise<Serving> => {
  const { lifecycle, config, clock, db, metrics } = parts;
  const { log } = lifecycle;
  const bus = parts.bus ?? createKafka({ brokers: config.KAFKA_BROKERS, clientId: service.name, log });
  let runningConsumer: RunningConsumer | null = null;
  const waiting = new AbortController();
  lifecycle.onStop('database', async () => {
    waiting.abort();
    if (db.isInitialized) await db.destroy();
  });
  lifecycle.onStop('kafka', bus.close);
  const serving = await openHttp({ ...parts, service, bus, runningConsumer: () => runningConsumer });
  await connect(db, log, waiting.signal);
  if (config.ROLES.some((role) => role !== 'http'))
    lifecycle.onStop('pruning', startPruning({ db, clock, log, more: service.prune }).stop);
  if (config.ROLES.includes('relay') && service.name !== 'worker') {
    void ensureTopics(bus, [topicOf(service.name)], log);
    lifecycle.onStop('relay', startRelay({ db, bus, log, metrics, clock }).stop);
  }
  if (config.ROLES.includes('consumers') && service.handlers.length > 0) {
    // Not awaited: without a broker the service still answers, and hears as soon as there is one.
    const { handlers, name: consumer } = service;
    startConsumer({ bus, consumer, handlers, log, metrics }).then(
      (started) => (runningConsumer = started),
      (error: unknown) => lifecycle.end(`consumer: ${String(error)}`),
    );
  }
  return serving;
};
