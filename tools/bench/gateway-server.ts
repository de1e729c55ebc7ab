// The HTTP server under test, in a separate process: bff, or a thin baseline that does the same work with bare node:http. Prints its
// port when it listens.
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createBff } from '@shortlist/bff/app';
import { createLiveUpdates } from '@shortlist/bff/handlers/live-updates';
import { readConfig, serviceTokenKeys } from '@shortlist/bff/config';
import { createSessions } from '@shortlist/bff/session/sessions';
import { createRedis } from '@shortlist/kit/data/redis';
import { createTokenSigner } from '@shortlist/kit/http/service-token';
import { createLog } from '@shortlist/kit/process/log';
import { createMetrics } from '@shortlist/kit/process/metrics';
import { Redis } from 'ioredis';
import { Pool } from 'undici';

const [variant = 'bff'] = process.argv.slice(2);
const config = readConfig(process.env);
const log = createLog('bff', config.LOG_LEVEL);
const clock = (): Date => new Date();

const createBffListener = (): RequestListener => {
  const redis = createRedis(config.SESSIONS_REDIS_URL, log);
  const sessions = createSessions(redis, clock);
  return createBff({
    config,
    log,
    redis,
    clock,
    sessions,
    metrics: createMetrics('bff'),
    sign: createTokenSigner({ keys: serviceTokenKeys(config), clock }),
    liveUpdates: createLiveUpdates(sessions),
    findPlace: () => '',
  });
};

const sendJson = (response: ServerResponse, body: unknown): void => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

/**
 * The least work that has the same result: one GET of the session, and for a proxied path one request with undici, into which the
 * body of a change is streamed.
 */
const createThinListener = (): RequestListener => {
  const upstream = new Pool(config.PROFILE_URL, { connections: 64 });
  const redis = new Redis(config.SESSIONS_REDIS_URL);
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { 'content-type': type = '', 'content-length': length = '' } = request.headers;
    const change = {
      ...{ path: '/changes', method: 'POST', body: request },
      headers: { 'content-type': type, 'content-length': length },
    } as const;
    await upstream.stream(
      request.method === 'POST' ? change : { path: '/directory', method: 'GET' },
      ({ statusCode, headers }) => response.writeHead(statusCode, headers),
    );
  };
  return (request, response) => {
    const respond = async (): Promise<void> => {
      const session = await redis.get('bench:session');
      const { userId } = JSON.parse(session ?? '{}') as { userId: string };
      if (request.method === 'POST' || request.url?.startsWith('/api/users')) return pass(request, response);
      sendJson(response, { remainingTime: 1, userId });
    };
    respond().catch(() => response.destroy()); // the generator closes connections at the end of a round
  };
};

const listener = variant === 'thin' ? createThinListener() : createBffListener();
const server = createServer({ keepAliveTimeout: 65_000 }, listener);
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
