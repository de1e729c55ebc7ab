import type { Operation } from '@shortlist/contracts/api/endpoint';
import type { Clock } from '../process/clock.ts';
import type { Db } from '../data/db.ts';
import { createServiceClient, type ServiceClient } from '../http/http-client.ts';
import { createServicePool } from '../http/service-pool.ts';
import { type Environment, loadConfig } from '../process/config.ts';
import { createLog } from '../process/log.ts';
import { createMetrics } from '../process/metrics.ts';
import type { Lifecycle } from '../process/lifecycle.ts';
import { tracingVariables } from '../process/tracing.ts';
import { openService, type Service } from '../service.ts';
import { createTokenSigner, type TokenSigner } from '../http/service-token.ts';
import { readKafkaSettings } from '../messaging/kafka-settings.ts';
import { createMemoryBus, type MemoryBus } from './memory-bus.ts';

/** The key of every service that a test opens, so that bff can call it. */
export const TEST_KEY = { id: 'test', secret: 'k'.repeat(64) };
/** Of a call that is as strict as a client's request which bff passes on: unknown fields are refused. */
export const STRICT = { prefer: 'handling=strict' } as const;
const KEYS = [TEST_KEY];
const log = createLog('test', 'silent');
/** Only ends calls that hang: tests do not depend on the speed of the machine. */
const CALL_MS = 60_000;

const ANY_PORTS = [0, 0] as const;

/** A lifecycle without a process, stopped by the test. */
const createTestLifecycle = (): { lifecycle: Lifecycle; stop: () => Promise<void> } => {
  const stops: (() => unknown)[] = [];
  const lifecycle: Lifecycle = {
    log,
    onStop: (_, stop) => stops.push(stop),
    fail: (reason) => {
      throw new Error(reason);
    },
  };
  return {
    lifecycle,
    stop: async () => {
      for (const stop of stops.toReversed()) await stop();
    },
  };
};

export type OpenedService = {
  /** The URL of the HTTP endpoints; nothing listens there without the HTTP role. */
  url: string;
  operatorUrl: string;
  bus: MemoryBus;
  ask: ServiceClient;
  sign: TokenSigner;
  stop: () => Promise<void>;
};

/** A client that throws if a reply does not match the operation's schema. */
const comparing =
  (call: ServiceClient): ServiceClient =>
  async (endpoint, input, options) => {
    const reply = await call(endpoint, input, options);
    const { replySchema = null } = endpoint as Partial<Operation<never, unknown>>;
    const { error } = replySchema?.validate(reply, { convert: false }) ?? {};
    if (error !== undefined)
      throw new Error(
        `${endpoint.method} ${endpoint.path} replied what it does not declare: ${error.message}`,
      );
    return reply;
  };

/** Opens a service in the test's process, with its HTTP endpoints, relay and consumers, and a broker in memory. */
export const openTestService = async (
  service: Service,
  {
    db,
    clock = () => new Date(),
    roles = ['http', 'consumers', 'relay'],
    tracing = {},
    exportTimeoutMs = 5_000,
    drainSeconds = 0,
    ports: [chosenPort, chosenOperatorPort] = ANY_PORTS,
  }: {
    db: Db;
    clock?: Clock;
    roles?: string[];
    tracing?: Environment;
    exportTimeoutMs?: number;
    drainSeconds?: number;
    /** The ports for HTTP and operators, for a test of the start; the result has the addresses of an open service. */
    ports?: readonly [number, number];
  },
): Promise<OpenedService> => {
  const { lifecycle, stop } = createTestLifecycle();
  const bus = createMemoryBus();
  const sign = createTokenSigner({ keys: { [service.name]: KEYS }, clock });
  const config = {
    HOST: '127.0.0.1',
    PORT: chosenPort,
    OPS_PORT: chosenOperatorPort,
    DRAIN_SECONDS: drainSeconds,
    NODE_EXTRA_CA_CERTS: '',
    VERSION: 'test',
    LOG_LEVEL: 'silent',
    ROLES: roles,
    DATABASE_URL: '',
    DATABASE_POOL: 10,
    ...readKafkaSettings({ KAFKA_BROKERS: 'unused' }),
    ...loadConfig(tracingVariables, tracing),
  };
  const metrics = createMetrics(service.name);
  const { port, operatorPort } = await openService(
    { lifecycle, config, clock, db, metrics, bus, tokenKeys: KEYS, idleCloseMs: 0, exportTimeoutMs },
    service,
  );
  const url = `http://127.0.0.1:${port ?? 0}`;
  const operatorUrl = `http://127.0.0.1:${operatorPort}`;
  return {
    url,
    operatorUrl,
    bus,
    sign,
    stop,
    ask: comparing(
      createServiceClient({
        audience: service.name,
        pool: createServicePool(url),
        sign,
        timeoutMs: CALL_MS,
      }),
    ),
  };
};
