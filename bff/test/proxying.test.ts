import { randomBytes } from 'node:crypto';
import { Agent, createServer, request as httpRequest, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { STRIPE_WEBHOOK_BYTES } from '@shortlist/contracts/api/billing';
import {
  SENDGRID_SIGNATURE_HEADER,
  SENDGRID_TIMESTAMP_HEADER,
  SENDGRID_WEBHOOK_BYTES,
} from '@shortlist/contracts/api/email';
import { publicEndpoints, publicPaths } from '@shortlist/contracts/api/public';
import { POOL_LIMITS } from '@shortlist/kit/http/service-pool';
import { until } from '@shortlist/kit/testing/until';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { once } from 'node:events';
import { serve, type Serving } from '@shortlist/kit/http/serve';
import { createProxies, createReadProxies } from '../src/http/proxied.ts';
import { ANONYMOUS, createPools, createServices, type Services } from '../src/services.ts';
import { bearer, send } from './requests.ts';
import { type Bff, respondWith, startBff, useBff } from './support.ts';

const bff = await useBff();
const impatient = await useBff({}, { poolLimits: { ...POOL_LIMITS, idleResponseMs: 200 } });
const begin = async (role: 'user' | 'admin') => {
  const id = uuidv7();
  const token = await bff.begin(role, id);
  return { id, token, ...bearer(token) };
};
const [user, admin] = [await begin('user'), await begin('admin')];
const { token } = user;
beforeEach(() => {
  bff.upstream.respond = respondWith(() => ({ data: [] }));
});
const HISTORY = publicEndpoints.creditsHistory.path;
const readHistory = () => bff.call('creditsHistory', { token });

describe('a proxied request', () => {
  it('B7 only the allowed headers of a client reach a service, and the caller comes from the service token', async () => {
    await send(bff.port, '/api/users?limit=5', {
      headers: {
        authorization: admin.authorization,
        'X-User-Id': 'another-user',
        'x-ROLE': 'admin',
        'X-Forwarded-For': '1.2.3.4',
        'X-Forwarded-Host': 'evil.test',
        'X-Forwarded-Proto': 'https',
        Forwarded: 'for=1.2.3.4',
        Cookie: 'a=b',
        TraceParent: '00-11111111111111111111111111111111-2222222222222222-01',
        TraceState: 'a=b',
        'Proxy-Authorization': 'x',
        // Hop-by-hop headers, which apply only between the client and bff.
        Connection: 'close, authorization, x-role',
        'Keep-Alive': 'timeout=600',
        TE: 'trailers',
        Upgrade: 'h2c',
      },
    });
    const [request] = bff.upstream.requests;
    expect(request?.url).toBe('/directory?limit=5');
    const names = Object.keys(request?.headers ?? {}).filter((name) => name !== 'host');
    expect(names.sort()).toEqual(['authorization', 'connection', 'traceparent']);
    expect(request?.headers.connection).toBe('keep-alive');
    // The trace goes on; that the client wants it to be recorded does not count.
    expect(request?.headers.traceparent).toMatch(/^00-1{32}-[0-9a-f]{16}-00$/);
    expect(await bff.callerOf('profile', request)).toMatchObject({
      role: 'admin',
      userId: admin.id,
      address: '127.0.0.1',
    });
    await expect(bff.callerOf('billing', request)).rejects.toMatchObject({ code: 'service.token_refused' });
  });

  it('B7 only the first Authorization header counts, in any case', async () => {
    const stolen = await bff.sign('profile', { role: 'admin', userId: admin.id });
    const lines = [
      `Authorization: ${user.authorization}`,
      `AUTHORIZATION: Bearer ${stolen}`,
      `X-Authorization: Bearer ${stolen}`,
      'Host: localhost',
      'Connection: close',
    ];
    const socket = connect(bff.port, '127.0.0.1');
    socket.write(`GET ${HISTORY} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200/);
    expect(bff.upstream.requests).toHaveLength(1);
    expect(await bff.callerOf('credits', bff.upstream.requests[0])).toMatchObject({
      role: 'user',
      userId: user.id,
      address: '127.0.0.1',
    });
    expect((await bff.call('GET /users', { token: stolen })).status).toBe(401);
  });

  it('J4 a list of any length needs one call to one service, and one user three calls', async () => {
    bff.upstream.respond = respondWith(({ url = '' }) => {
      const count = Number(new URL(url, bff.upstream.url).searchParams.get('limit') ?? 1);
      const rows = Array.from({ length: count }, (_, index) => ({ id: index }));
      return { data: url.startsWith('/directory') ? rows : {}, planState: { version: 0 } };
    });
    const countCalls = async (path: string): Promise<number> => {
      bff.upstream.requests.length = 0;
      expect((await bff.call(`GET ${path}`, { token: admin.token })).status).toBe(200);
      return bff.upstream.requests.length;
    };
    expect(await countCalls('/api/users?limit=20')).toBe(1);
    expect(await countCalls('/api/users?limit=200')).toBe(1);
    expect(await countCalls(`/api/users/${uuidv7()}`)).toBe(3);
  });

  it('the user id of a request comes from its session', async () => {
    await bff.call('creditsHistory', { token, query: '?userId=someone&limit=3' });
    expect(bff.upstream.requests[0]?.url).toBe(`/credits/${user.id}/history?userId=someone&limit=3`);
    expect(await bff.callerOf('credits', bff.upstream.requests[0])).toMatchObject({
      role: 'user',
      userId: user.id,
      address: '127.0.0.1',
    });
  });

  it.each(['{"reason":"email_found"}', '{}'])('B10 a body of %s arrives byte for byte', async (body) => {
    const headers = { 'idempotency-key': 'request-key-1' };
    expect((await bff.call('chargeCredit', { token, headers, body })).status).toBe(200);
    expect(bff.upstream.requests[0]?.body.toString()).toBe(body);
    expect(bff.upstream.requests[0]?.headers['idempotency-key']).toBe('request-key-1');
  });

  it('B10 a client that expects 100 Continue gets it, and its body arrives byte for byte', async () => {
    const body = '{"reason":"email_found","reference":"in/one"}';
    const headers = {
      authorization: user.authorization,
      'content-type': 'application/json',
      'content-length': body.length,
      expect: '100-continue',
    };
    const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
    const options = { port: bff.port, path: '/api/credits/spend', method: 'POST', headers, agent: false };
    const request = httpRequest(options, (response) => resolve(response.resume().statusCode));
    request.on('error', reject);
    request.on('continue', () => request.end(body));
    request.flushHeaders();
    expect(await promise).toBe(200);
    expect(bff.upstream.requests.map((upstreamRequest) => upstreamRequest.body.toString())).toEqual([body]);
  });

  const WEBHOOKS = [
    [
      'stripe',
      'billing',
      publicPaths.stripeWebhook,
      STRIPE_WEBHOOK_BYTES,
      { 'stripe-signature': 't=1,v1=abc' },
    ],
    [
      'sendgrid',
      'worker',
      publicPaths.sendgridWebhook,
      SENDGRID_WEBHOOK_BYTES,
      { [SENDGRID_SIGNATURE_HEADER]: 'MEUC=', [SENDGRID_TIMESTAMP_HEADER]: '1795818848' },
    ],
  ] as const;

  describe.each(WEBHOOKS)(
    'a webhook of %s',
    (provider, service, path, bytes, signature: Record<string, string>) => {
      const post = (body: Buffer, headers: Record<string, string> = {}) =>
        bff.call(`POST ${path}`, {
          token: 'x',
          headers: {
            ...signature,
            cookie: 'x=y',
            origin: 'https://provider.test',
            'content-type': 'text/plain',
            ...headers,
          },
          body,
        });

      it('B10 C5 of the largest size arrives byte for byte with what was signed and no XSRF token, at its service', async () => {
        const body = randomBytes(bytes);
        expect((await post(body)).status).toBe(200);
        const request = bff.upstream.requests.at(-1);
        expect(request?.url).toBe(`/webhooks/${provider}`);
        expect(request?.headers).toMatchObject(signature);
        expect(request?.headers.cookie).toBeUndefined();
        expect(await bff.callerOf(service, request)).toMatchObject({ role: 'anonymous' });
        expect(request?.body.equals(body)).toBe(true);
      });

      it('B13 is refused before it arrives if it is too large, or does not announce its size', async () => {
        expect(await post(Buffer.from('['), { 'content-length': String(bytes + 1) })).toMatchObject({
          status: 413,
          code: 'request.too_large',
        });
        expect(await post(randomBytes(100), { 'transfer-encoding': 'chunked' })).toMatchObject({
          status: 411,
          code: 'request.length_missing',
        });
        expect(bff.upstream.requests).toEqual([]);
      });
    },
  );

  it('B10 K5 a service that dies before or during its response fails the request, and a change is not sent twice', async () => {
    bff.upstream.respond = (request) => request.socket.destroy();
    const dead = await bff.call('chargeCredit', { token });
    expect([dead.status, dead.code]).toEqual([503, 'service.unavailable']);
    expect(dead.json).toMatchObject({ error: { requestId: dead.headers['x-request-id'] } });
    expect(bff.upstream.requests).toHaveLength(1);

    bff.upstream.respond = (request, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('half');
      setTimeout(() => request.socket.destroy(), 20);
    };
    await expect(readHistory()).rejects.toThrow();
  });

  it('X23 a service that refuses the service token because of a wrong clock is reported as unavailable, and the user stays logged in', async () => {
    bff.upstream.respond = (_request, response) =>
      void response.writeHead(401).end(JSON.stringify({ error: { code: 'service.token_refused' } }));
    const response = await readHistory();
    expect([response.status, response.code]).toEqual([503, 'service.unavailable']);
    expect(response.body).not.toContain('token_refused');
  });

  it('B10 when a client disconnects, the request to the service is aborted', async () => {
    bff.upstream.respond = () => undefined;
    const socket = connect(bff.port, '127.0.0.1');
    socket.write(
      `GET ${HISTORY} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${user.authorization}\r\n\r\n`,
    );
    await until('the request', () => bff.upstream.requests.length === 1);
    socket.destroy();
    await until('the abort of the upstream request', () => bff.upstream.requests[0]?.aborted === true);
  });

  it.each(['creditsHistory', 'chargeCredit'] as const)(
    'B10 a service that does not respond to %s within the time limit causes a 504',
    async (name) => {
      const headers = { 'idempotency-key': 'request-key-1' };
      impatient.upstream.respond = () => undefined;
      expect(await impatient.call(name, { as: 'user', headers })).toMatchObject({
        status: 504,
        code: 'service.timeout',
      });
    },
  );

  it('the time limit of a service that does not respond is ten seconds', () => {
    expect(POOL_LIMITS.idleResponseMs).toBe(10_000);
  });

  type Result = { status: number; connection: string | undefined };
  /** Sends a request over a keep-alive connection, as a browser or a load balancer does. */
  const sendKeepAlive = (
    agent: Agent,
    target: Bff,
    { path, token }: { path: string; token: string },
  ): Promise<Result> =>
    new Promise((resolve, reject) => {
      const options = { port: target.port, path, agent, headers: { authorization: token } };
      const request = httpRequest(options, (response) => {
        const { statusCode: status = 0, headers } = response.resume();
        response.on('end', () => resolve({ status, connection: headers.connection }));
      });
      request.on('error', reject).end();
    });

  it('B12 closing completes the requests in flight and accepts no new ones', async () => {
    const closingBff = await startBff(inject('sessionsRedisUrl'));
    const closingToken = bearer(await closingBff.begin('user')).authorization;
    const pending: (() => void)[] = [];
    closingBff.upstream.respond = (_request, response) =>
      void pending.push(() => response.writeHead(200, { connection: 'keep-alive' }).end('{"delayed":true}'));
    const agent = new Agent({ keepAlive: true });
    // Half of them are proxied, the other half composed by bff.
    const paths = Array.from({ length: 20 }, (_, at) => (at % 2 ? HISTORY : '/api/subscription'));
    const inFlight = Promise.all(
      paths.map((path) => sendKeepAlive(agent, closingBff, { path, token: closingToken })),
    );
    await until('all requests', () => pending.length === 20);

    let isClosed = false;
    const closed = closingBff.stopServing().then(() => (isClosed = true));
    await expect(send(closingBff.port, '/api/config')).rejects.toThrow(/ECONNREFUSED|ECONNRESET/);
    expect(isClosed).toBe(false);
    for (const release of pending) release();
    expect(await inFlight).toEqual(paths.map(() => ({ status: 200, connection: 'close' })));
    // Long before the keep-alive timeout of a connection.
    await until('the close', () => isClosed, 20_000);
    await closed;
    agent.destroy();
    await closingBff.close();
  });

  it('B12 a request that is sent on a keep-alive connection during closing gets a response, not a reset', async () => {
    const closingBff = await startBff(inject('sessionsRedisUrl'));
    const closingToken = bearer(await closingBff.begin('user')).authorization;
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const sendRequest = (): Promise<Result> =>
      sendKeepAlive(agent, closingBff, { path: HISTORY, token: closingToken });
    expect(await sendRequest()).toEqual({ status: 200, connection: 'keep-alive' });
    const closed = closingBff.stopServing();
    expect(await sendRequest()).toEqual({ status: 200, connection: 'close' });
    await closed;
    await closingBff.close();
  });
});

const readBytes = async (): Promise<Buffer> => {
  const response = await fetch(`${bff.url}${HISTORY}`, { headers: bearer(token) });
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
};

it.each([0, 1, 300, 16_384, 16_385, 300_000])('B10 a body of %i bytes arrives as it is', async (size) => {
  // Text outside of ASCII too, and bytes that are no text.
  const body = Buffer.concat([Buffer.from('Zoë 日本 '.repeat(4)), randomBytes(size)]).subarray(0, size);
  for (const length of [{ 'content-length': size }, {}]) {
    bff.upstream.respond = (_request, response) => void response.writeHead(200, length).end(body);
    expect((await readBytes()).equals(body)).toBe(true);
  }
});

it('B10 a body that arrives in pieces is complete', async () => {
  bff.upstream.respond = (_request, response) => {
    response.writeHead(200, { 'content-length': 6 }).write('abc');
    setTimeout(() => response.end('def'), 20);
  };
  expect((await readBytes()).toString()).toBe('abcdef');
});

it('B10 a HEAD request has the headers and no body', async () => {
  bff.upstream.respond = (_request, response) => void response.writeHead(200, { 'content-length': 5 }).end();
  const response = await bff.call(`HEAD ${HISTORY}`, { token });
  expect([response.status, response.headers['content-length'], response.body]).toEqual([200, '5', '']);
});

it('B10 a response that the client reads slowly arrives byte for byte', async () => {
  const body = randomBytes(8 << 20).toString('hex');
  let isBlocked = false;
  bff.upstream.respond = (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
    isBlocked = !response.write(body.slice(0, body.length / 2));
    response.end(body.slice(body.length / 2));
  };
  const socket = connect(bff.port, '127.0.0.1');
  socket.pause();
  const lines = ['Host: localhost', `Authorization: Bearer ${token}`, 'Connection: close'];
  socket.write(`GET ${HISTORY} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
  await until('a service that waits for the client', () => isBlocked);
  const received = await text(socket);
  expect(received).toMatch(/^HTTP\/1\.1 200/);
  expect(received.slice(received.indexOf('\r\n\r\n') + 4) === body).toBe(true);
});

/** The drain of a pod in the chart: an idle connection that its client kept for longer could be closed under a request. */
const DRAIN_MS = 5_000;

/** Undici's timers for connections tick twice a second. */
const poolLimits = { ...POOL_LIMITS, keepAliveMs: 1_500 };

describe('an idle connection to a service', () => {
  let service: Serving;
  let proxy: Server;
  let services: Services;
  const sockets = new Set<Socket>();

  beforeAll(async () => {
    service = await serve((_request, response) => response.end('{}'), { host: '127.0.0.1', port: 0 });
    service.server.on('connection', (socket: Socket) => sockets.add(socket));
    const url = `http://127.0.0.1:${service.port}`;
    const urls = { identity: url, profile: url, billing: url, credits: url, worker: url };
    const pools = createPools(urls, poolLimits);
    services = createServices(pools, () => Promise.resolve(''));
    const [changes, reads] = [createProxies(urls, poolLimits), createReadProxies(pools)];
    proxy = createServer((request, response) => {
      if (request.method === 'GET') void reads.credits({ path: '/', headers: {} }, { request, response });
      else void changes.credits(request, response);
    });
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
  });
  afterAll(async () => {
    proxy.closeAllConnections();
    proxy.close();
    await service.close();
  });

  const throughProxy = async (method: 'GET' | 'POST'): Promise<void> => {
    const { port } = proxy.address() as AddressInfo;
    await (await fetch(`http://127.0.0.1:${port}/`, { method })).text();
  };

  const throughClient = async (): Promise<void> => {
    await services.credits({ method: 'GET', path: '/' }, {}, { caller: ANONYMOUS });
  };

  it('B12 the proxies keep an idle connection for less than the time of a drain', () => {
    expect(POOL_LIMITS.keepAliveMs).toBeLessThan(DRAIN_MS);
  });

  /** The service itself would keep a connection for over a minute. */
  const connectionsEnd = (): Promise<void> =>
    until('the end of the connections', () => [...sockets].every(({ closed }) => closed));

  it.each([
    ['reads', 'GET'],
    ['changes', 'POST'],
  ] as const)(
    'B12 the proxy of %s uses a connection again, and ends it when it is idle',
    async (_kind, method) => {
      sockets.clear();
      await throughProxy(method);
      await throughProxy(method);
      expect(sockets.size).toBe(1);
      await connectionsEnd();
    },
  );

  it("B12 a service's client ends an idle connection", async () => {
    sockets.clear();
    await throughClient();
    expect(sockets.size).toBe(1);
    await connectionsEnd();
  });
});
