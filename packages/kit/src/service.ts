import { seconds } from '@shortlist/contracts/durations';
import type { Express, RequestHandler } from 'express';
import type { EntitySchema, MigrationInterface } from 'typeorm';
import { connect, createDb, type Db, withCommitCheck } from './data/db.ts';
import { type Deletion, repeatDeletions } from './data/deletions-to-repeat.ts';
import { createRightsCheck, type LockRights } from './data/rights.ts';
import { createRequestStore } from './data/request-counts.ts';
import { databasePool, databaseUrl } from './data/variables.ts';
import { createExpressApp, observe, readJson } from './http/express-app.ts';
import { type Check, createHealth, type Health, serveOperatorEndpoints } from './http/health.ts';
import { RETRY_SECONDS } from './http/respond.ts';
import { byServiceToken, createRouter, type Identify, type Router, type WithRights } from './http/router.ts';
import { serve, type Serving } from './http/serve.ts';
import { createTokenVerifier, LIFETIME_SECONDS, type TokenKeys } from './http/service-token.ts';
import type { Bus, RunningConsumer } from './messaging/bus.ts';
import { ensureTopics, startConsumer } from './messaging/consumer.ts';
import type { EventHandlers } from './messaging/handle-batch.ts';
import { createKafka } from './messaging/kafka.ts';
import { kafkaVariables } from './messaging/kafka-settings.ts';
import { type PruneRule, startPruning } from './messaging/pruning.ts';
import { startRelay } from './messaging/outbox.ts';
import { followCertificates } from './process/certificates.ts';
import type { Clock, Repetition } from './process/clock.ts';
import { type ConfigOf, serverVariables, variable } from './process/config.ts';
import { startCountingRequests } from './process/count-requests.ts';
import { createError } from './process/errors.ts';
import type { Lifecycle } from './process/lifecycle.ts';
import type { Log } from './process/log.ts';
import type { Metrics } from './process/metrics.ts';
import { startTracing, tracingVariables } from './process/tracing.ts';
import type { Descriptions } from './process-status.ts';
import { addStatusEndpoints } from './status-endpoints.ts';

/** The variables that every service with a database reads. */
export const serviceVariables = {
  ...serverVariables,
  // The parts of the service that the process runs.
  ROLES: variable.roles,
  DATABASE_URL: databaseUrl,
  DATABASE_POOL: databasePool,
  ...kafkaVariables,
  ...tracingVariables,
};

export type ServiceConfig = ConfigOf<typeof serviceVariables>;

export type Service = {
  name: string;
  /** The topics of its events; without one it has no relay. */
  topics?: readonly string[];
  entities: EntitySchema[];
  migrations: (new () => MigrationInterface)[];
  /** Routes that read the raw body, registered before the JSON parser. They identify their callers themselves. */
  rawRoutes?: (app: Express, identify: Identify) => void;
  endpoints?: (router: Router) => void;
  handlers: EventHandlers;
  /** Deletes a user again whom a restore has brought back; in a service whose database has users. */
  eraseAgain?: (deletion: Deletion) => Promise<unknown>;
  /** Locks the rows of rights, in the service that ends them. */
  lockRights?: LockRights;
  /** The service's own expiring rows. */
  prune?: readonly PruneRule[];
  /** The service's own background work, in addition to pruning. */
  background?: (parts: { db: Db; log: Log }) => Repetition;
  /** Dependencies that readiness requires, besides the database. */
  checks?: Readonly<Record<string, Check>>;
  /** What System says of those dependencies. */
  descriptions?: Descriptions;
};

type Parts = {
  lifecycle: Lifecycle;
  config: ServiceConfig;
  clock: Clock;
  db: Db;
  metrics: Metrics;
  /** The keys for the tokens that callers send; without keys, every call is refused. */
  tokenKeys?: TokenKeys;
  /** Replaces Kafka in tests. */
  bus?: Bus;
  /** Overrides how long idle connections stay open during shutdown, in tests. */
  idleCloseMs?: number;
  /** Overrides the time limit for exporting spans, in tests. */
  exportTimeoutMs?: number;
};
/** The state of a process that may still be starting. */
type State = {
  consumer: RunningConsumer | null;
  /** The database is connected and has the tables of this version. */
  isConnected: boolean;
};
type OpenParts = Parts & { bus: Bus; health: Health; service: Service; state: State };

/** Readiness depends on the broker only in a process that runs consumers and serves no HTTP endpoints. */
const consumerCheck = ({
  config: { ROLES: roles },
  service,
  state,
}: Pick<OpenParts, 'config' | 'service' | 'state'>): Readonly<Record<string, Check>> => {
  if (!roles.includes('consumers') || roles.includes('http') || service.handlers.length === 0) return {};
  return {
    consumer: () =>
      state.consumer?.healthy() ? Promise.resolve() : Promise.reject(new Error('consumes nothing')),
  };
};

const refuseUntilConnected =
  (state: State): RequestHandler =>
  (_request, _response, next) =>
    next(
      state.isConnected
        ? undefined
        : createError('service.unavailable', { retryAfterSeconds: RETRY_SECONDS }),
    );

const checksOf = ({
  config,
  db,
  service,
  state,
}: Pick<OpenParts, 'config' | 'db' | 'service' | 'state'>): Readonly<Record<string, Check>> => ({
  database: () =>
    state.isConnected ? db.query('SELECT 1') : Promise.reject(new Error('not connected and migrated yet')),
  ...service.checks,
  ...consumerCheck({ config, service, state }),
});

const addRoutes = (app: Express, parts: OpenParts): void => {
  const { lifecycle, config, clock, db, metrics, bus, health, service, state } = parts;
  const { tokenKeys: keys = [] } = parts;
  const { log } = lifecycle;
  app.use(observe({ log, metrics }));
  app.use(refuseUntilConnected(state));
  const identify = byServiceToken(createTokenVerifier({ keys, audience: service.name, clock }));
  service.rawRoutes?.(app, identify);
  app.use(readJson());
  const withRights: WithRights = ({ rights = [], checkedAt = 0 }, handle) => {
    if (rights.length === 0) return handle();
    const check = { rights, checkedAt, lifetimeSeconds: LIFETIME_SECONDS };
    const { lockRights } = service;
    return withCommitCheck(createRightsCheck(check, { clock, lockRights }), handle);
  };
  const router = createRouter(app, { identify, withRights });
  service.endpoints?.(router);
  const { name, topics, handlers } = service;
  const { descriptions = {} } = service;
  const hasOutbox = topics !== undefined;
  const status = { name, version: config.VERSION, hasOutbox, handlers, descriptions };
  addStatusEndpoints(router, { ...status, bus, db, clock, health, requests: createRequestStore(db, clock) });
  router.close();
};

const openOperatorEndpoints = async (parts: OpenParts): Promise<Serving> => {
  const { lifecycle, config, metrics, health } = parts;
  const { HOST: host, OPS_PORT: port, VERSION: version } = config;
  const serving = await serveOperatorEndpoints(
    { log: lifecycle.log, health, metrics, version },
    { host, port },
  );
  lifecycle.onStop('operator endpoints', serving.close);
  return serving;
};

/** Returns null in a process without the HTTP role. */
const openHttp = async (parts: OpenParts): Promise<Serving | null> => {
  const { lifecycle, config } = parts;
  if (!config.ROLES.includes('http')) return null;
  const app = createExpressApp(lifecycle.log, (routes) => addRoutes(routes, parts));
  const { HOST: host, PORT: port } = config;
  const serving = await serve(app, { host, port, idleCloseMs: parts.idleCloseMs });
  lifecycle.onStop('http', serving.close);
  return serving;
};

/** The ports on which a service listens; `port` is null in a process without the HTTP role. */
export type OpenedPorts = { port: number | null; operatorPort: number };

/** Creates the database handle of a service; `openService` connects it. */
export const createServiceDb = (config: ServiceConfig, parts: Pick<Service, 'entities' | 'migrations'>): Db =>
  createDb({ url: config.DATABASE_URL, poolSize: config.DATABASE_POOL, ...parts });

/** Starts the parts of the roles other than HTTP. */
const startRoles = (
  parts: Parts & { bus: Bus },
  service: Service,
  onConsumer: (started: RunningConsumer) => void,
): void => {
  const { lifecycle, config, clock, db, metrics, bus } = parts;
  const { log } = lifecycle;
  if (config.ROLES.some((role) => role !== 'http')) {
    lifecycle.onStop('pruning', startPruning({ db, clock, log, more: service.prune }).stop);
    const background = service.background?.({ db, log });
    lifecycle.onStop('background', () => background?.stop());
  }
  if (config.ROLES.includes('relay') && service.topics !== undefined) {
    void ensureTopics(bus, service.topics, log);
    lifecycle.onStop('relay', startRelay({ db, bus, log, metrics, clock }).stop);
  }
  if (config.ROLES.includes('consumers') && service.handlers.length > 0) {
    // Not awaited: the service serves HTTP without a broker, and starts consuming when the broker is available.
    const { handlers, name: consumer } = service;
    startConsumer({ bus, consumer, handlers, log, metrics }).then(onConsumer, (error: unknown) =>
      lifecycle.fail(`consumer: ${String(error)}`),
    );
  }
};

/**
 * Opens a service in its roles: first operator endpoints and HTTP, so that the process is live while it waits for its dependencies; then the
 * database with its migrations and the deletions that a restore must repeat (until then every request gets `service.unavailable`); then pruning,
 * relay and consumer. Shutdown runs in reverse order.
 */
export const openService = async (parts: Parts, service: Service): Promise<OpenedPorts> => {
  const { lifecycle, config, db, metrics, exportTimeoutMs } = parts;
  followCertificates({ lifecycle, config, clock: parts.clock, metrics });
  await startTracing({ name: service.name, lifecycle, config, metrics, exportTimeoutMs });
  const bus = parts.bus ?? createKafka({ settings: config, clientId: service.name, log: lifecycle.log });
  const state: State = { consumer: null, isConnected: false };
  const connecting = new AbortController();
  lifecycle.onStop('database', async () => {
    connecting.abort();
    if (db.isInitialized) await db.destroy();
  });
  lifecycle.onStop('kafka', bus.close);
  const health = createHealth(checksOf({ config, db, service, state }));
  const opening = { ...parts, bus, health, service, state };
  const { port: operatorPort } = await openOperatorEndpoints(opening);
  const http = await openHttp(opening);
  await connect(db, lifecycle.log, connecting.signal);
  const { eraseAgain: erase } = service;
  if (erase !== undefined)
    await repeatDeletions({ db, log: lifecycle.log, erase, signal: connecting.signal });
  state.isConnected = !connecting.signal.aborted;
  const counting = { metrics, store: createRequestStore(db, parts.clock), clock: parts.clock };
  const counts = startCountingRequests({ ...counting, log: lifecycle.log });
  lifecycle.onStop('counts of requests', counts.stop);
  startRoles({ ...parts, bus }, service, (started) => (state.consumer = started));
  lifecycle.onStop('connections', () => http?.drain(seconds(config.DRAIN_SECONDS)));
  return { port: http?.port ?? null, operatorPort };
};
