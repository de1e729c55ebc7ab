import { randomUUID } from 'node:crypto';
import { seconds } from '@shortlist/contracts/durations';
import { createRedis } from '@shortlist/kit/data/redis';
import { createHealth, serveOperatorEndpoints } from '@shortlist/kit/http/health';
import { serve } from '@shortlist/kit/http/serve';
import { createTokenSigner } from '@shortlist/kit/http/service-token';
import { startConsumer } from '@shortlist/kit/messaging/consumer';
import { createKafka } from '@shortlist/kit/messaging/kafka';
import { type Lifecycle, run } from '@shortlist/kit/process/lifecycle';
import { createMetrics } from '@shortlist/kit/process/metrics';
import { startTracing } from '@shortlist/kit/process/tracing';
import { createBff } from './app.ts';
import { createLiveUpdates, type LiveUpdates } from './handlers/live-updates.ts';
import { type Config, readConfig, serviceTokenKeys } from './config.ts';
import { liveUpdateHandlers, sessionHandlers } from './consumers.ts';
import { openPlaces } from './log-in/sign-ins.ts';
import { createSessions, type Sessions } from './session/sessions.ts';

type ConsumerParts = {
  lifecycle: Lifecycle;
  config: Config;
  sessions: Sessions;
  liveUpdates: LiveUpdates;
  metrics: ReturnType<typeof createMetrics>;
};

// Not awaited: without a broker users still log in and pay, and live updates resume when it is back.
const startConsumers = ({ lifecycle, config, sessions, liveUpdates, metrics }: ConsumerParts): void => {
  const { log } = lifecycle;
  const bus = createKafka({ settings: config, clientId: 'bff', log });
  lifecycle.onStop('kafka', bus.close);
  const common = { bus, consumer: 'bff', log, metrics };
  const handleFailure = (error: unknown): void => lifecycle.fail(`consumer: ${String(error)}`);
  startConsumer({ ...common, handlers: sessionHandlers(sessions) }).catch(handleFailure);
  const ownGroup = { group: `bff-live-${randomUUID()}`, fromBeginning: false };
  startConsumer({ ...common, ...ownGroup, handlers: liveUpdateHandlers(liveUpdates) }).catch(handleFailure);
};

run('bff', {
  env: process.env,
  start: async (lifecycle) => {
    const config = readConfig(process.env);
    const clock = () => new Date();
    const { log } = lifecycle;
    const metrics = createMetrics('bff', config.VERSION);
    await startTracing({ name: 'bff', lifecycle, config, metrics });
    const redis = createRedis(config.SESSIONS_REDIS_URL, log);
    lifecycle.onStop('redis', () => redis.disconnect());
    const sessions = createSessions(redis, clock);
    const liveUpdates = createLiveUpdates(sessions);
    const health = createHealth({ sessions: () => redis.ping() });
    const sign = createTokenSigner({ keys: serviceTokenKeys(config), clock });
    const { HOST: host } = config;
    const operators = await serveOperatorEndpoints({ log, health, metrics }, { host, port: config.OPS_PORT });
    lifecycle.onStop('operator endpoints', operators.close);
    const findPlace = await openPlaces(config.GEOIP_DATABASE);
    const parts = { config, log, metrics, redis, sessions, sign, liveUpdates, findPlace, clock };
    const serving = await serve(createBff(parts), { host, port: config.PORT });
    lifecycle.onStop('http', serving.close);
    lifecycle.onStop('live updates', liveUpdates.close);
    startConsumers({ lifecycle, config, sessions, liveUpdates, metrics });
    lifecycle.onStop('connections', () => serving.drain(seconds(config.DRAIN_SECONDS)));
  },
});
