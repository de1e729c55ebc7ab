// The HTTP server under test, in a process of its own: bff, or a thin baseline that does the same work with bare node:http.
import { hash } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
// It measures bff alone, without Kafka and the work of services.
import { createBff } from '@shortlist/bff/app';
import { createKeyStore } from '@shortlist/bff/api-keys/key-store';
import { createLiveUpdates } from '@shortlist/bff/handlers/live-updates';
import { readConfig, serviceTokenKeys } from '@shortlist/bff/config';
import { createSessions } from '@shortlist/bff/session/sessions';
import { createRedis } from '@shortlist/kit/data/redis';
import { createHealth } from '@shortlist/kit/http/health';
import { createTokenSigner } from '@shortlist/kit/http/service-token';
import { createLog } from '@shortlist/kit/process/log';
import { createMetrics } from '@shortlist/kit/process/metrics';
import { createMemoryBus } from '@shortlist/kit/testing/memory-bus';
import { Redis } from 'ioredis';
import { Pool } from 'undici';
import { listenForParent } from './listen.ts';

const config = readConfig(process.env);

const createBffListener = (): RequestListener => {
  const log = createLog('bff', config.LOG_LEVEL);
  const clock = (): Date => new Date();
  const redis = createRedis(config.SESSIONS_REDIS_URL, log);
  const sessions = createSessions(redis, clock);
  const sign = createTokenSigner({ keys: serviceTokenKeys(config), clock });
  const liveUpdates = createLiveUpdates(sessions);
  const metrics = createMetrics('bff');
  const keyStore = createKeyStore(redis);
  const stores = { redis, sessions, keyStore, liveUpdates, bus: createMemoryBus() };
  const health = createHealth({});
  return createBff({ config, log, clock, metrics, sign, ...stores, health, findPlace: () => '' });
};

/** A reply that is made of the reply of a service, with a tag that names it. */
const composeReply = async (upstream: Pool, response: ServerResponse): Promise<void> => {
  const { body } = await upstream.request({ path: '/', method: 'GET' });
  const text = JSON.stringify(await body.json());
  const etag = `"${hash('sha256', text, 'base64url')}"`;
  response.writeHead(200, { 'content-type': 'application/json', etag }).end(text);
};

/**
 * The least work that has the same result: one GET of the session, and for a proxied path one request with undici, into which the
 * body of a change is streamed.
 */
const createThinListener = (): RequestListener => {
  const upstream = new Pool(config.PROFILE_URL, { connections: 64 });
  const redis = new Redis(config.SESSIONS_REDIS_URL);
  const passOn = (request: IncomingMessage, response: ServerResponse): Promise<unknown> => {
    const { 'content-type': type = '', 'content-length': length = '' } = request.headers;
    const headers = { 'content-type': type, 'content-length': length };
    const sent =
      request.method === 'POST'
        ? { method: 'POST' as const, body: request, headers }
        : { method: 'GET' as const };
    return upstream.stream({ path: '/', ...sent }, (reply) =>
      response.writeHead(reply.statusCode, reply.headers),
    );
  };
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<unknown> => {
    const { userId } = JSON.parse((await redis.get('bench:session')) ?? '{}') as { userId: string };
    if (request.url === '/api/v1/entitlements') return composeReply(upstream, response);
    if (request.method === 'POST' || request.url?.startsWith('/api/users')) return passOn(request, response);
    response.writeHead(200, { 'content-type': 'application/json' });
    return response.end(JSON.stringify({ remainingTime: 1, userId }));
  };
  return (request, response) =>
    // The generator closes connections at the end of a round.
    void respond(request, response).catch(() => response.destroy());
};

await listenForParent(process.argv[2] === 'thin' ? createThinListener() : createBffListener());
