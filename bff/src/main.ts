import { randomUUID } from 'node:crypto';
import { startConsumer } from '@shortlist/kit/consumer';
import { createHealth } from '@shortlist/kit/health';
import { serve } from '@shortlist/kit/http';
import { createKafka } from '@shortlist/kit/kafka';
import { createMetrics } from '@shortlist/kit/metrics';
import { createRedis } from '@shortlist/kit/redis';
import { type Life, run } from '@shortlist/kit/run';
import { createTokenSigner } from '@shortlist/kit/service-token';
import { createBff } from './app.ts';
import { type Config, readConfig } from './config.ts';
import { liveHearings, sessionHearings } from './consumers.ts';
import { createLivePages, type LivePages } from './live/live-pages.ts';
import { createSessions, type Sessions } from './session/sessions.ts';

type Hearing = {
  life: Life;
  config: Config;
  sessions: Sessions;
  pages: LivePages;
  metrics: ReturnType<typeof createMetrics>;
};

// Not awaited: without a broker people still log in and pay, and the pages hear again as soon as there is one.
const startHearing = ({ life, config, sessions, pages, metrics }: Hearing): void => {
  const { log } = life;
  const bus = createKafka({ brokers: config.KAFKA_BROKERS, clientId: 'bff', log });
  life.onStop('kafka', bus.close);
  const common = { bus, hearer: 'bff', log, metrics };
  const failed = (error: unknown): void => life.end(`consumer: ${String(error)}`);
  startConsumer({ ...common, hearings: sessionHearings(sessions) }).catch(failed);
  const own = { group: `bff-live-${randomUUID()}`, fromBeginning: false };
  startConsumer({ ...common, ...own, hearings: liveHearings(pages) }).catch(failed);
};

run('bff', {
  env: process.env,
  start: async (life) => {
    const config = readConfig(process.env);
    const clock = () => new Date();
    const { log } = life;
    const metrics = createMetrics('bff');
    const redis = createRedis(config.SESSIONS_REDIS_URL, log);
    life.onStop('redis', () => redis.disconnect());
    const sessions = createSessions(redis, clock);
    const pages = createLivePages(sessions);
    const health = createHealth({ sessions: () => redis.ping() });
    const sign = createTokenSigner({ key: config.SERVICE_TOKEN_KEY, clock });
    const listener = createBff({ config, log, health, metrics, redis, sessions, sign, pages });
    const serving = await serve(listener, { host: config.HOST, port: config.PORT });
    life.onStop('http', serving.close);
    life.onStop('live pages', pages.close);
    startHearing({ life, config, sessions, pages, metrics });
  },
});
