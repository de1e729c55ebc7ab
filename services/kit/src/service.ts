import { topicOf, type Emitter } from '@shortlist/contracts/events/define';
import type { Express } from 'express';
import type { EntitySchema, MigrationInterface } from 'typeorm';
import type { Clock } from './clock.ts';
import { variable } from './config.ts';
import { ensureTopics, startConsumer } from './consumer.ts';
import type { Hearings } from './hearings.ts';
import { connect, createDb, type Db } from './db.ts';
import { byServiceToken, createDoors, type Doors } from './doors.ts';
import { type Check, createHealth } from './health.ts';
import { createHttp, serve, type Serving } from './http.ts';
import { createKafka } from './kafka.ts';
import type { Bus, Consumption } from './bus.ts';
import type { Metrics } from './metrics.ts';
import { type PruneRule, startPruning } from './pruning.ts';
import { startRelay } from './relay.ts';
import type { Life } from './run.ts';
import { createTokenVerifier } from './service-token.ts';

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
  doors?: (doors: Doors) => void;
  hearings: Hearings;
  /** Rows of its own that are not kept for ever. */
  prune?: readonly PruneRule[];
  /** What else must answer for the process to be ready. */
  checks?: Readonly<Record<string, Check>>;
};

type Parts = {
  life: Life;
  config: ServiceConfig;
  clock: Clock;
  db: Db;
  metrics: Metrics;
  /** Another broker than Kafka: a test's own. */
  bus?: Bus;
};
type Open = Parts & { service: Service; bus: Bus; consumption: () => Consumption | null };

/** Requests are answered without a broker; only a process that is there to hear is not ready while it does not. */
const hearingCheck = ({
  config: { ROLES: roles },
  service,
  consumption,
}: Pick<Open, 'config' | 'service' | 'consumption'>): Readonly<Record<string, Check>> => {
  if (!roles.includes('consumers') || roles.includes('http') || service.hearings.length === 0) return {};
  return {
    consumer: () =>
      consumption()?.healthy() ? Promise.resolve() : Promise.reject(new Error('hears nothing')),
  };
};

const openHttp = async ({
  life,
  config,
  clock,
  db,
  metrics,
  service,
  consumption,
}: Open): Promise<Serving> => {
  const health = createHealth({
    database: () => db.query('SELECT 1'),
    ...service.checks,
    ...hearingCheck({ config, service, consumption }),
  });
  const verify = createTokenVerifier({ key: config.SERVICE_TOKEN_KEY, audience: service.name, clock });
  const app = createHttp(
    { log: life.log, health, metrics },
    {
      ...(service.before && config.ROLES.includes('http') ? { before: service.before } : {}),
      routes: (routes) => {
        if (!config.ROLES.includes('http') || !service.doors) return;
        const doors = createDoors(routes, { identify: byServiceToken(verify) });
        service.doors(doors);
        doors.close();
      },
    },
  );
  const serving = await serve(app, { host: config.HOST, port: config.PORT });
  life.onStop('http', serving.close);
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
  const { life, config, clock, db, metrics } = parts;
  const { log } = life;
  const bus = parts.bus ?? createKafka({ brokers: config.KAFKA_BROKERS, clientId: service.name, log });
  let consumption: Consumption | null = null;
  const waiting = new AbortController();
  life.onStop('database', async () => {
    waiting.abort();
    if (db.isInitialized) await db.destroy();
  });
  life.onStop('kafka', bus.close);
  const serving = await openHttp({ ...parts, service, bus, consumption: () => consumption });
  await connect(db, log, waiting.signal);
  if (config.ROLES.some((role) => role !== 'http'))
    life.onStop('pruning', startPruning({ db, clock, log, more: service.prune }).stop);
  if (config.ROLES.includes('relay') && service.name !== 'worker') {
    void ensureTopics(bus, [topicOf(service.name)], log);
    life.onStop('relay', startRelay({ db, bus, log, metrics, clock }).stop);
  }
  if (config.ROLES.includes('consumers') && service.hearings.length > 0) {
    // Not awaited: without a broker the service still answers, and hears as soon as there is one.
    const { hearings, name: hearer } = service;
    startConsumer({ bus, hearer, hearings, log, metrics }).then(
      (started) => (consumption = started),
      (error: unknown) => life.end(`consumer: ${String(error)}`),
    );
  }
  return serving;
};
