import { randomBytes } from 'node:crypto';
import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { STRIPE_WEBHOOK_BYTES } from '@shortlist/contracts/api/billing';
import {
  SENDGRID_SIGNATURE_HEADER,
  SENDGRID_TIMESTAMP_HEADER,
  SENDGRID_WEBHOOK_BYTES,
} from '@shortlist/contracts/api/email';
import { publicPaths } from '@shortlist/contracts/api/public';
import { POOL_LIMITS } from '@shortlist/kit/http/service-pool';
import { until } from '@shortlist/kit/testing/until';
import { uuidv7 } from 'uuidv7';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { type Bff, respondWith, send, startBff } from './support.ts';

describe('a proxied request', () => {
  let bff: Bff;
  let user: { id: string; authorization: string };
  let admin: { id: string; authorization: string };
  beforeAll(async () => {
    bff = await startBff(inject('sessionsRedisUrl'));
    const begin = async (role: 'user' | 'admin') => {
      const id = uuidv7();
      return { id, authorization: `Bearer ${(await bff.sessions.begin(id, role)).token}` };
    };
    [user, admin] = [await begin('user'), await begin('admin')];
  });
  afterAll(() => bff.close());
  afterEach(() => {
    bff.upstream.requests.length = 0;
    bff.upstream.respond = respondWith(() => ({ data: [] }));
  });

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
    socket.write(`GET /api/credits/history HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200/);
    expect(bff.upstream.requests).toHaveLength(1);
    expect(await bff.callerOf('credits', bff.upstream.requests[0])).toMatchObject({
      role: 'user',
      userId: user.id,
      address: '127.0.0.1',
    });
    const withServiceToken = await send(bff.port, '/users', {
      headers: { authorization: `Bearer ${stolen}` },
    });
    expect(withServiceToken.status).toBe(401);
  });

  it('J4 a list of any length needs one call to one service, and one user three calls', async () => {
    bff.upstream.respond = respondWith(({ url = '' }) => {
      const count = Number(new URL(url, bff.upstream.url).searchParams.get('limit') ?? 1);
      const rows = Array.from({ length: count }, (_, index) => ({ id: index }));
      return { data: url.startsWith('/directory') ? rows : {}, planState: { version: 0 } };
    });
    const countCalls = async (path: string): Promise<number> => {
      bff.upstream.requests.length = 0;
      expect((await send(bff.port, path, { headers: { authorization: admin.authorization } })).status).toBe(
        200,
      );
      return bff.upstream.requests.length;
    };
    expect(await countCalls('/api/users?limit=20')).toBe(1);
    expect(await countCalls('/api/users?limit=200')).toBe(1);
    expect(await countCalls(`/api/users/${uuidv7()}`)).toBe(3);
  });

  it('the user id of a request comes from its session', async () => {
    await send(bff.port, '/api/credits/history?userId=someone&limit=3', {
      headers: { authorization: user.authorization },
    });
    expect(bff.upstream.requests[0]?.url).toBe(`/credits/${user.id}/history?userId=someone&limit=3`);
    expect(await bff.callerOf('credits', bff.upstream.requests[0])).toMatchObject({
      role: 'user',
      userId: user.id,
      address: '127.0.0.1',
    });
  });

  it('B10 a body of 4 KB of bytes arrives byte for byte where it is passed on as it arrives', async () => {
    const body = randomBytes(4 * 1024);
    const headers = { 'content-type': 'application/octet-stream' };
    const { status } = await send(bff.port, publicPaths.stripeWebhook, { method: 'POST', headers, body });
    expect(status).toBe(200);
    expect(bff.upstream.requests[0]?.body.equals(body)).toBe(true);
  });

  it.each([
    ['JSON', '{"reason":"email_found"}', 'application/json'],
    ['an empty object', '{}', 'application/json'],
  ])('B10 a body of %s arrives byte for byte', async (_name, body, type) => {
    const response = await send(bff.port, '/api/credits/spend', {
      method: 'POST',
      headers: {
        authorization: user.authorization,
        'content-type': type,
        'idempotency-key': 'request-key-1',
      },
      body,
    });
    expect(response.status).toBe(200);
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

  const postWebhook = (body: Buffer, headers: Record<string, string> = {}) =>
    send(bff.port, '/api/webhooks/stripe', {
      method: 'POST',
      headers: { ...headers, 'stripe-signature': 't=1,v1=abc', cookie: 'x=y', origin: 'https://stripe.test' },
      body,
    });

  it('B10 the largest webhook arrives byte for byte with its signature', async () => {
    const body = randomBytes(STRIPE_WEBHOOK_BYTES);
    expect((await postWebhook(body)).status).toBe(200);
    const request = bff.upstream.requests.at(-1);
    expect(request?.url).toBe('/webhooks/stripe');
    expect(request?.headers['stripe-signature']).toBe('t=1,v1=abc');
    expect(request?.body.equals(body)).toBe(true);
  });

  const postEvents = (body: Buffer, headers: Record<string, string> = {}) =>
    send(bff.port, '/api/webhooks/sendgrid', {
      method: 'POST',
      headers: {
        [SENDGRID_SIGNATURE_HEADER]: 'MEUC=',
        [SENDGRID_TIMESTAMP_HEADER]: '1795818848',
        authorization: 'Bearer x',
        cookie: 'x=y',
        ...headers,
      },
      body,
    });

  it('B10 the largest batch of mail events arrives byte for byte with what was signed, at worker', async () => {
    const body = randomBytes(SENDGRID_WEBHOOK_BYTES);
    expect((await postEvents(body)).status).toBe(200);
    const request = bff.upstream.requests.at(-1);
    expect(request?.url).toBe('/webhooks/sendgrid');
    expect(request?.headers[SENDGRID_SIGNATURE_HEADER]).toBe('MEUC=');
    expect(request?.headers[SENDGRID_TIMESTAMP_HEADER]).toBe('1795818848');
    expect(request?.headers.cookie).toBeUndefined();
    expect(await bff.callerOf('worker', request)).toMatchObject({ role: 'anonymous' });
    expect(request?.body.equals(body)).toBe(true);
  });

  it('B13 a larger batch of mail events is refused before it arrives', async () => {
    const length = { 'content-length': String(SENDGRID_WEBHOOK_BYTES + 1) };
    const { status, body } = await postEvents(Buffer.from('['), length);
    expect([status, body]).toEqual([413, expect.stringContaining('request.too_large')]);
    expect(bff.upstream.requests).toEqual([]);
  });

  it('B13 a body that is passed on is refused if it is too large, or does not announce its size', async () => {
    const { status, body } = await postWebhook(randomBytes(STRIPE_WEBHOOK_BYTES + 1));
    expect([status, body]).toEqual([413, expect.stringContaining('request.too_large')]);
    const chunked = await postWebhook(randomBytes(100), { 'transfer-encoding': 'chunked' });
    expect([chunked.status, chunked.body]).toEqual([411, expect.stringContaining('request.length_missing')]);
    expect(bff.upstream.requests).toEqual([]);
  });

  it('B10 a service that dies before or during its response fails the request, and a change is not sent twice', async () => {
    bff.upstream.respond = (request) => request.socket.destroy();
    const headers = { authorization: user.authorization, 'content-type': 'application/json' };
    const dead = await send(bff.port, '/api/credits/spend', { method: 'POST', headers, body: '{}' });
    expect(dead.status).toBe(503);
    expect(bff.upstream.requests).toHaveLength(1);

    bff.upstream.respond = (request, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('half');
      setTimeout(() => request.socket.destroy(), 20);
    };
    await expect(send(bff.port, '/api/credits/history', { headers })).rejects.toThrow();
  });

  it('X23 a service that refuses the service token because of a wrong clock is reported as unavailable, and the user stays logged in', async () => {
    bff.upstream.respond = (_request, response) =>
      void response.writeHead(401).end(JSON.stringify({ error: { code: 'service.token_refused' } }));
    const headers = { authorization: user.authorization };
    const response = await send(bff.port, '/api/credits/history', { headers });
    expect(response.status).toBe(503);
    expect(response.body).toContain('service.unavailable');
    expect(response.body).not.toContain('token_refused');
  });

  it('B10 when a client disconnects, the request to the service is aborted', async () => {
    bff.upstream.respond = () => undefined;
    const socket = connect(bff.port, '127.0.0.1');
    socket.write(
      `GET /api/credits/history HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${user.authorization}\r\n\r\n`,
    );
    await until('the request', () => bff.upstream.requests.length === 1);
    socket.destroy();
    await until('the abort of the upstream request', () => bff.upstream.requests[0]?.aborted === true);
  });

  it.each([
    ['GET', '/api/credits/history'],
    ['POST', '/api/credits/spend'],
  ])(
    'B10 a service that does not respond to a %s within the time limit causes a 504',
    async (method, path) => {
      const poolLimits = { ...POOL_LIMITS, idleResponseMs: 200 };
      const impatient = await startBff(inject('sessionsRedisUrl'), {}, { poolLimits });
      impatient.upstream.respond = () => undefined;
      const { token } = await impatient.sessions.begin(uuidv7(), 'user');
      const response = await send(impatient.port, path, {
        method,
        headers: { authorization: `Bearer ${token}`, 'idempotency-key': 'request-key-1' },
      });
      await impatient.close();
      expect(response.status).toBe(504);
      expect(JSON.parse(response.body)).toMatchObject({ error: { code: 'service.timeout' } });
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
    const { token } = await closingBff.sessions.begin(uuidv7(), 'user');
    const pending: (() => void)[] = [];
    closingBff.upstream.respond = (_request, response) =>
      void pending.push(() => response.writeHead(200, { connection: 'keep-alive' }).end('{"delayed":true}'));
    const agent = new Agent({ keepAlive: true });
    // Half of them are proxied, the other half composed by bff.
    const paths = Array.from({ length: 20 }, (_, at) =>
      at % 2 ? '/api/credits/history' : '/api/subscription',
    );
    const inFlight = Promise.all(paths.map((path) => sendKeepAlive(agent, closingBff, { path, token })));
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
    const { token } = await closingBff.sessions.begin(uuidv7(), 'user');
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const sendRequest = (): Promise<Result> =>
      sendKeepAlive(agent, closingBff, { path: '/api/credits/history', token });
    expect(await sendRequest()).toEqual({ status: 200, connection: 'keep-alive' });
    const closed = closingBff.stopServing();
    expect(await sendRequest()).toEqual({ status: 200, connection: 'close' });
    await closed;
    await closingBff.close();
  });
});
