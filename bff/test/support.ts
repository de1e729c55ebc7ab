import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { minutes } from '@shortlist/contracts/durations';
import { type ErrorCode, ERRORS } from '@shortlist/contracts/errors';
import type { Clock } from '@shortlist/kit/process/clock';
import { createHealth, serveOperatorEndpoints } from '@shortlist/kit/http/health';
import { serve } from '@shortlist/kit/http/serve';
import { createLog, type Log } from '@shortlist/kit/process/log';
import { createMetrics } from '@shortlist/kit/process/metrics';
import type { PoolLimits } from '@shortlist/kit/http/service-pool';
import { createMemoryBus } from '@shortlist/kit/testing/memory-bus';
import { TEST_KEY } from '@shortlist/kit/testing/open-service';
import { openTestRedis } from '@shortlist/kit/testing/databases';
import { createTokenSigner, createTokenVerifier } from '@shortlist/kit/http/service-token';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeEach, inject } from 'vitest';
import type { AccountFactors } from '@shortlist/contracts/api/factors';
import { createKeyStore } from '../src/api-keys/key-store.ts';
import { createBff } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { createLiveUpdates } from '../src/handlers/live-updates.ts';
import { openPlaces } from '../src/http/sign-in-origin.ts';
import { createSessions } from '../src/session/sessions.ts';
import type { SessionRole } from '../src/session/session.ts';
import { ana, type Input, type Operation, parseJson, type RawResponse, requestOf, send } from './requests.ts';

/** The factors of an account that has a password alone. */
export const NO_FACTORS: AccountFactors = {
  totp: false,
  recoveryCodes: 0,
  passkeys: 0,
  fingerprint: 'fingerprint',
};

/** What an owner may do, of an account that logs in as an admin. */
export const OWNER = { role: 'owner', version: 0 } as const;

/** The account with which a session of this role begins; an admin is an owner. */
export const accountOf = (userId: string, role: SessionRole) =>
  role === 'admin'
    ? ({ userId, role, generation: 0, access: OWNER } as const)
    : ({ userId, role, generation: 0 } as const);

const KEY = TEST_KEY;
const SERVICES = ['identity', 'profile', 'billing', 'credits', 'worker'];
const KEYS = Object.fromEntries(SERVICES.map((name) => [name, [KEY]]));

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

/** Responds with the error of the path with which a target ends, and otherwise with what `bodyOf` returns. */
export const respondUnless = (
  refusals: () => Record<string, ErrorCode>,
  bodyOf: (request: IncomingMessage) => unknown,
): Responder => {
  return (request, ...exchange) => {
    const refusal = Object.entries(refusals()).find(([end]) => request.url?.endsWith(end));
    const respond = refusal === undefined ? respondWith(bodyOf) : refuseWith(refusal[1]);
    respond(request, ...exchange);
  };
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
        return parseJson(this.body.toString());
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
  server.keepAliveTimeout = minutes(1); // as a service of ours
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

type CallInput = Input & { as?: SessionRole; userId?: string };
type Options = { clock?: Clock; log?: Log; poolLimits?: PoolLimits; bodyMs?: number };

/** Starts bff on a free port, with real sessions in Redis and one upstream server for all services. */
export const startBff = async (
  redisUrl: string,
  change: Record<string, string> = {},
  { clock = () => new Date(), log = createLog('bff', 'silent'), poolLimits, bodyMs }: Options = {},
) => {
  const upstream = await startUpstream();
  const config = readConfig({
    PORT: '5000',
    LOG_LEVEL: 'silent',
    KAFKA_BROKERS: '127.0.0.1:1',
    ...Object.fromEntries(
      SERVICES.flatMap((name) => [
        [`${name.toUpperCase()}_TOKEN_KEYS`, `${KEY.id}:${KEY.secret}`],
        [`${name.toUpperCase()}_URL`, upstream.url],
      ]),
    ),
    SESSIONS_REDIS_URL: redisUrl,
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
  const bus = createMemoryBus();
  const health = createHealth({ sessions: () => redis.ping() });
  const stores = { redis, sessions, keyStore, liveUpdates, bus };
  const parts = { config, log, metrics, ...stores, health, sign, findPlace, clock };
  const listener = createBff({ ...parts, poolLimits, bodyMs });
  const operators = await serveOperatorEndpoints(
    { log, health, metrics, version: config.VERSION },
    { host: '127.0.0.1', port: 0 },
  );
  const serving = await serve(listener, { host: '127.0.0.1', port: 0 });
  /** Begins a session. Returns its token. */
  const begin = async (role: SessionRole, userId: string = uuidv7()): Promise<string> =>
    (await sessions.begin(accountOf(userId, role))).token;
  return {
    url: `http://127.0.0.1:${serving.port}`,
    port: serving.port,
    /** Of health and metrics. */
    operatorPort: operators.port,
    redis,
    sessions,
    keyStore,
    liveUpdates,
    bus,
    upstream,
    /** Returns the caller in the service token of an upstream request. */
    callerOf: (audience: string, request: UpstreamRequest | undefined) =>
      createTokenVerifier({ keys: [KEY], audience, clock: () => new Date() })(
        request?.headers.authorization?.slice('Bearer '.length),
      ),
    /** Signs a service token as bff does. */
    sign,
    begin,
    /** Sends a request as `requestOf` makes it, with a new session of the role `as`, if any. */
    call: async (operation: Operation, { as, userId, ...input }: CallInput = {}): Promise<RawResponse> => {
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

export type Bff = Awaited<ReturnType<typeof startBff>>;

/** Starts bff for the tests of a file, each of which begins with no requests at the services. */
export const useBff = async (change: Record<string, string> = {}, options: Options = {}): Promise<Bff> => {
  const bff = await startBff(inject('sessionsRedisUrl'), change, options);
  beforeEach(() => {
    bff.upstream.requests.length = 0;
  });
  afterAll(() => bff.close());
  return bff;
};
