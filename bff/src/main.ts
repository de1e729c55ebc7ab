import { randomUUID } from 'node:crypto';
import { startConsumer } from '@shortlist/kit/messaging/consumer';
import { createHealth } from '@shortlist/kit/http/health';
import { serve } from '@shortlist/kit/http/http';
import { createKafka } from '@shortlist/kit/messaging/kafka';
import { createMetrics } from '@shortlist/kit/process/metrics';
import { createRedis } from '@shortlist/kit/data/redis';
import { type Lifecycle, run } from '@shortlist/kit/process/lifecycle';
import { createTokenSigner } from '@shortlist/kit/http/service-token';
import { createBff } from './app.ts';
import { type Config, readConfig } from './config.ts';
import { liveUpdateHandlers, sessionHandlers } from './consumers.ts';
import { createLiveUpdates, type LiveUpdates } from './live/live-pages.ts';
import { createSessions, type Sessions } from './session/sessions.ts';

type EventHandler = {
  lifecycle: Lifecycle;
  config: Config;
  sessions: Sessions;
  pages: LiveUpdates;
  metrics: ReturnType<typeof createMetrics>;
};

// Not awaited: without a broker people still log in and pay, and the pages hear again as soon as there is one.
const startConsumers = ({ lifecycle, config, sessions, pages, metrics }: EventHandler): void => {
  const { log } = lifecycle;
  const bus = createKafka({ brokers: config.KAFKA_BROKERS, clientId: 'bff', log });
  lifecycle.onStop('kafka', bus.close);
  const common = { bus, consumer: 'bff', log, metrics };
  const failed = (error: unknown): void => lifecycle.end(`consumer: ${String(error)}`);
  startConsumer({ ...common, handlers: sessionHandlers(sessions) }).catch(failed);
  const own = { group: `bff-live-${randomUUID()}`, fromBeginning: false };
  startConsumer({ ...common, ...own, handlers: liveUpdateHandlers(pages) }).catch(failed);
};

run('bff', {
  env: process.env,
  start: async (lifecycle) => {
    const config = readConfig(process.env);
    const clock = () => new Date();
    const { log } = lifecycle;
    const metrics = createMetrics('bff');
    const redis = createRedis(config.SESSIONS_REDIS_URL, log);
    lifecycle.onStop('redis', () => redis.disconnect());
    const sessions = createSessions(redis, clock);
    const pages = createLiveUpdates(sessions);
    const health = createHealth({ sessions: () => redis.ping() });
    const sign = createTokenSigner({ key: config.SERVICE_TOKEN_KEY, clock });
    const listener = createBff({ config, log, health, metrics, redis, sessions, sign, pages });
    const serving = await serve(listener, { host: config.HOST, port: config.PORT });
    lifecycle.onStop('http', serving.close);
    lifecycle.onStop('live pages', pages.close);
    startConsumers({ lifecycle, config, sessions, pages, metrics });
  },
});
