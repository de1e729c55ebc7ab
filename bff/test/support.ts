import { createServer, type IncomingMessage, request as httpRequest, type ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { type ErrorCode, ERRORS } from '@shortlist/contracts/errors';
import type { Clock } from '@shortlist/kit/process/clock';
import { createHealth, serveOperatorEndpoints } from '@shortlist/kit/http/health';
import { serve } from '@shortlist/kit/http/serve';
import { createLog, type Log } from '@shortlist/kit/process/log';
import { createMetrics } from '@shortlist/kit/process/metrics';
import type { Redis } from '@shortlist/kit/data/redis';
import type { PoolLimits } from '@shortlist/kit/http/service-pool';
import { TEST_KEY } from '@shortlist/kit/testing/open-service';
import { openTestRedis } from '@shortlist/kit/testing/databases';
import {
  createTokenSigner,
  createTokenVerifier,
  type Caller,
  type TokenSigner,
} from '@shortlist/kit/http/service-token';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeEach, inject } from 'vitest';
import { createKeyStore, type KeyStore } from '../src/api-keys/key-store.ts';
import { createBff } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { createLiveUpdates, type LiveUpdates } from '../src/handlers/live-updates.ts';
import { openPlaces } from '../src/http/sign-in-origin.ts';
import { createSessions } from '../src/session/sessions.ts';
import type { SessionRole } from '../src/session/session.ts';
import { NO_FACTORS, OWNER } from './factors-reply.ts';
import { ana } from './multipart.ts';
import { type Input, type Operation, requestOf } from './requests.ts';
import { createTestSessions, type TestSessions } from './test-sessions.ts';

const KEY = TEST_KEY;
const SERVICES = ['identity', 'profile', 'billing', 'credits', 'worker'];
const KEYS = Object.fromEntries(SERVICES.map((name) => [name, [KEY]]));

/** The value of a JSON text; undefined for another one, which a failed assertion prints. */
const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** A request that reached the upstream service, with its body byte for byte. */
export type UpstreamRequest = {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: Buffer;
  /** The value of a JSON body. */
  readonly json: unknown;
  aborted: boolean;
};
type Responder = (request: IncomingMessage, response: ServerResponse, body: Buffer) => void;

export type Upstream = {
  url: string;
  requests: UpstreamRequest[];
  /** The requests whose target ends like this. */
  requestsTo: (end: string) => UpstreamRequest[];
  respond: Responder;
  close: () => Promise<void>;
};

/** Responds to every request with the JSON that `bodyOf` returns for it. */
export const respondWith =
  (bodyOf: (request: IncomingMessage) => unknown, status = 200): Responder =>
  (request, response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(JSON.stringify(bodyOf(request)));

/** Responds to every request with this error. */
export const refuseWith = (code: ErrorCode): Responder => {
  const [status, message] = ERRORS[code];
  return respondWith(() => ({ error: { code, message, requestId: 'r' } }), status);
};

/** Responds to every request as for an account that logs in with a password alone, as an owner where it is an admin's. */
export const respondAsAccount = (id: string = uuidv7()): Responder =>
  respondWith(() => ({
    data: { id, email: 'a@b.co', ...ana, admin: OWNER },
    planState: { version: 1 },
    factors: NO_FACTORS,
  }));

/** A service as bff sees it: it records each request and responds as the test defines. */
const startUpstream = async (): Promise<Upstream> => {
  const upstream: Upstream = {
    url: '',
    requests: [],
    requestsTo: (end) => upstream.requests.filter(({ url }) => url.endsWith(end)),
    respond: respondWith(() => ({ data: [] })),
    close: () => Promise.resolve(),
  };
  const server = createServer((request, response) => {
    const upstreamRequest: UpstreamRequest = {
      method: request.method ?? '',
      url: request.url ?? '',
      headers: request.headers,
      body: Buffer.alloc(0),
      get json(): unknown {
        return parse(this.body.toString());
      },
      aborted: false,
    };
    upstream.requests.push(upstreamRequest);
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('close', () => (upstreamRequest.aborted = !response.writableEnded));
    request.on('end', () => {
      upstreamRequest.body = Buffer.concat(chunks);
      upstream.respond(request, response, upstreamRequest.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  upstream.url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  upstream.close = () =>
    new Promise((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  return upstream;
};

export type Bff = {
  url: string;
  port: number;
  /** Of health and metrics. */
  operatorPort: number;
  redis: Redis;
  sessions: TestSessions;
  keyStore: KeyStore;
  liveUpdates: LiveUpdates;
  upstream: Upstream;
  /** Returns the caller in the service token of an upstream request. */
  callerOf: (audience: string, request: UpstreamRequest | undefined) => Promise<Caller>;
  /** Signs a service token as bff does. */
  sign: TokenSigner;
  /** Begins a session. Returns its token. */
  begin: (role: SessionRole, userId?: string) => Promise<string>;
  /** Sends a request as `requestOf` makes it, with a new session of the role `as`, if any. */
  call: (operation: Operation, input?: Input & { as?: SessionRole; userId?: string }) => Promise<RawResponse>;
  stopServing: () => Promise<void>;
  close: () => Promise<void>;
};

type Options = { clock?: Clock; log?: Log; poolLimits?: PoolLimits; bodyMs?: number };

/** Starts bff on a free port, with real sessions in Redis and one upstream server for all services. */
export const startBff = async (
  redisUrl: string,
  change: Record<string, string> = {},
  { clock = () => new Date(), log = createLog('bff', 'silent'), poolLimits, bodyMs }: Options = {},
): Promise<Bff> => {
  const upstream = await startUpstream();
  const config = readConfig({
    PORT: '5000',
    LOG_LEVEL: 'silent',
    KAFKA_BROKERS: '127.0.0.1:1',
    ...Object.fromEntries(
      SERVICES.map((name) => [`${name.toUpperCase()}_TOKEN_KEYS`, `${KEY.id}:${KEY.secret}`]),
    ),
    SESSIONS_REDIS_URL: redisUrl,
    IDENTITY_URL: upstream.url,
    PROFILE_URL: upstream.url,
    BILLING_URL: upstream.url,
    CREDITS_URL: upstream.url,
    WORKER_URL: upstream.url,
    XSRF_KEY: 'x'.repeat(64),
    ADMIN_TWO_STEP: 'optional',
    // All tests share one client address.
    LOGIN_LIMIT: '100000',
    SIGNUP_LIMIT: '100000',
    REQUIRE_VERIFIED_EMAIL: 'nothing',
    PUBLIC_URL: 'http://localhost:5000',
    WEB_ROOT: fileURLToPath(new URL('site', import.meta.url)),
    ...change,
  });
  const redis = await openTestRedis(redisUrl);
  const sessions = createSessions(redis, clock);
  const liveUpdates = createLiveUpdates(sessions);
  const sign = createTokenSigner({ keys: KEYS, clock: () => new Date() });
  const metrics = createMetrics('bff');
  const findPlace = await openPlaces(config.GEOIP_DATABASE);
  const keyStore = createKeyStore(redis);
  const parts = { config, log, metrics, redis, sessions, keyStore, sign, liveUpdates, findPlace, clock };
  const listener = createBff({ ...parts, poolLimits, bodyMs });
  const health = createHealth({ sessions: () => redis.ping() });
  const operators = await serveOperatorEndpoints({ log, health, metrics }, { host: '127.0.0.1', port: 0 });
  const serving = await serve(listener, { host: '127.0.0.1', port: 0 });
  const testSessions = createTestSessions(sessions);
  const begin: Bff['begin'] = async (role, userId = uuidv7()) =>
    (await testSessions.begin(userId, role)).token;
  return {
    url: `http://127.0.0.1:${serving.port}`,
    port: serving.port,
    operatorPort: operators.port,
    redis,
    sessions: testSessions,
    keyStore,
    liveUpdates,
    upstream,
    callerOf: (audience, request) =>
      createTokenVerifier({ keys: [KEY], audience, clock: () => new Date() })(
        request?.headers.authorization?.slice('Bearer '.length),
      ),
    sign,
    begin,
    call: async (operation, { as, userId, ...input } = {}) => {
      const token = as === undefined ? input.token : await begin(as, userId);
      const { target, ...request } = requestOf(operation, {
        ...input,
        ...(token !== undefined && { token }),
      });
      return send(serving.port, target, request);
    },
    stopServing: serving.close,
    close: async () => {
      liveUpdates.close();
      for (const { server, close } of [serving, operators]) {
        server.closeAllConnections();
        await close();
      }
      redis.disconnect();
      await upstream.close();
    },
  };
};

/** Starts bff for the tests of a file, each of which begins with no requests at the services. */
export const useBff = async (change: Record<string, string> = {}, options: Options = {}): Promise<Bff> => {
  const bff = await startBff(inject('sessionsRedisUrl'), change, options);
  beforeEach(() => {
    bff.upstream.requests.length = 0;
  });
  afterAll(() => bff.close());
  return bff;
};

export type RawResponse = {
  status: number;
  headers: IncomingMessage['headers'];
  body: string;
  /** The value of a JSON body. */
  readonly json: unknown;
  /** The code of an error. */
  readonly code: string | undefined;
};

/** A network of its own, in the range for documentation. */
export const newNetwork = (): string => `2001:db8:f${uuidv7().slice(-3)}:f${uuidv7().slice(-3)}`;
export const newEmail = (): string => `${uuidv7()}@people.test`;

export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** How often each status occurs. */
export const countStatuses = (responses: { status: number }[]): Record<number, number> => {
  const counts: Record<number, number> = {};
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

const responseOf = ({ statusCode = 0, headers }: IncomingMessage, body: string): RawResponse => ({
  status: statusCode,
  headers,
  body,
  get json(): unknown {
    return parse(body);
  },
  get code() {
    const { error, code } = (parse(body) ?? {}) as { error?: { code: string }; code?: string };
    return error?.code ?? code;
  },
});

/** Of a body whose method usually has none, Node announces no length. */
const lengthOf = (body: string | Buffer | undefined, headers: object): Record<string, number> =>
  body === undefined || 'transfer-encoding' in headers ? {} : { 'content-length': Buffer.byteLength(body) };

/** Sends a request with these headers and this target, which fetch would normalise. */
export const send = (
  port: number,
  target: string,
  {
    method = 'GET',
    headers = {},
    body,
  }: { method?: string; headers?: Record<string, string | string[]>; body?: string | Buffer } = {},
): Promise<RawResponse> =>
  new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        host: '127.0.0.1',
        port,
        path: target,
        method,
        headers: { ...lengthOf(body, headers), ...headers },
        agent: false,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => resolve(responseOf(response, Buffer.concat(chunks).toString())));
      },
    );
    request.on('error', reject);
    request.end(body);
  });
