import { randomUUID } from 'node:crypto';
import { seconds } from '@shortlist/contracts/durations';
import { createRedis } from '@shortlist/kit/data/redis';
import { createHealth, type Health, serveOperatorEndpoints } from '@shortlist/kit/http/health';
import { serve } from '@shortlist/kit/http/serve';
import { createTokenSigner } from '@shortlist/kit/http/service-token';
import type { Bus } from '@shortlist/kit/messaging/bus';
import { startConsumer } from '@shortlist/kit/messaging/consumer';
import { createKafka } from '@shortlist/kit/messaging/kafka';
import { followCertificates } from '@shortlist/kit/process/certificates';
import type { Clock } from '@shortlist/kit/process/clock';
import { startCountingRequests } from '@shortlist/kit/process/count-requests';
import { type Lifecycle, run } from '@shortlist/kit/process/lifecycle';
import { createMetrics } from '@shortlist/kit/process/metrics';
import { startTracing } from '@shortlist/kit/process/tracing';
import { createKeyStore, type KeyStore } from './api-keys/key-store.ts';
import { createBff } from './app.ts';
import { createLiveUpdates, type LiveUpdates } from './handlers/live-updates.ts';
import { type Config, readConfig, serviceTokenKeys } from './config.ts';
import { liveUpdateHandlers, sessionHandlers } from './consumers.ts';
import { createRequestStore } from './http/request-counts.ts';
import { openPlaces } from './http/sign-in-origin.ts';
import { createSessions, type Sessions } from './session/sessions.ts';

type ConsumerParts = {
  bus: Bus;
  lifecycle: Lifecycle;
  config: Config;
  sessions: Sessions;
  keyStore: KeyStore;
  liveUpdates: LiveUpdates;
  metrics: ReturnType<typeof createMetrics>;
};

/** A page that is notified so much later still shows a change within a second. */
const GATHER_MS = 200;

// Not awaited: without a broker users still log in and pay, and live updates resume when it is back.
const startConsumers = ({
  bus,
  lifecycle,
  sessions,
  keyStore,
  liveUpdates,
  metrics,
}: Omit<ConsumerParts, 'config'>): void => {
  const { log } = lifecycle;
  lifecycle.onStop('kafka', bus.close);
  const common = { bus, consumer: 'bff', log, metrics };
  const handleFailure = (error: unknown): void => lifecycle.fail(`consumer: ${String(error)}`);
  startConsumer({ ...common, handlers: sessionHandlers(sessions, keyStore) }).catch(handleFailure);
  const ownGroup = { group: `bff-live-${randomUUID()}`, fromBeginning: false, gatherMs: GATHER_MS };
  startConsumer({ ...common, ...ownGroup, handlers: liveUpdateHandlers(liveUpdates) }).catch(handleFailure);
};

type StartParts = Pick<ConsumerParts, 'lifecycle' | 'config' | 'metrics'>;

const connectSessions = ({ lifecycle, config }: StartParts, clock: Clock) => {
  const redis = createRedis(config.SESSIONS_REDIS_URL, lifecycle.log);
  lifecycle.onStop('redis', () => redis.disconnect());
  const sessions = createSessions(redis, clock);
  return { redis, sessions, keyStore: createKeyStore(redis), liveUpdates: createLiveUpdates(sessions) };
};

const serveOperators = async ({ lifecycle, config, metrics }: StartParts, health: Health): Promise<void> => {
  const { close } = await serveOperatorEndpoints(
    { log: lifecycle.log, health, metrics, version: config.VERSION },
    { host: config.HOST, port: config.OPS_PORT },
  );
  lifecycle.onStop('operator endpoints', close);
};

run('bff', {
  env: process.env,
  start: async (lifecycle) => {
    const config = readConfig(process.env);
    const clock = () => new Date();
    const { log } = lifecycle;
    const metrics = createMetrics('bff', config.VERSION);
    followCertificates({ lifecycle, config, clock, metrics });
    await startTracing({ name: 'bff', lifecycle, config, metrics });
    const { redis, ...stores } = connectSessions({ lifecycle, config, metrics }, clock);
    const sign = createTokenSigner({ keys: serviceTokenKeys(config), clock });
    const health = createHealth({ sessions: () => redis.ping() });
    await serveOperators({ lifecycle, config, metrics }, health);
    const bus = createKafka({ settings: config, clientId: 'bff', log });
    const findPlace = await openPlaces(config.GEOIP_DATABASE);
    const parts = { config, log, metrics, redis, ...stores, bus, health, sign, findPlace, clock };
    const serving = await serve(createBff(parts), { host: config.HOST, port: config.PORT });
    lifecycle.onStop('http', serving.close);
    const counts = startCountingRequests({ metrics, store: createRequestStore(redis), clock, log });
    lifecycle.onStop('counts of requests', counts.stop);
    lifecycle.onStop('live updates', stores.liveUpdates.close);
    startConsumers({ bus, lifecycle, ...stores, metrics });
    lifecycle.onStop('connections', () => serving.drain(seconds(config.DRAIN_SECONDS)));
  },
});
