import { randomBytes } from 'node:crypto';
import { Agent, request as httpRequest } from 'node:http';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { STRIPE_WEBHOOK_BYTES } from '@shortlist/contracts/api/billing';
import {
  SENDGRID_SIGNATURE_HEADER,
  SENDGRID_TIMESTAMP_HEADER,
  SENDGRID_WEBHOOK_BYTES,
} from '@shortlist/contracts/api/email';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { LENIENT } from '@shortlist/kit/http/router';
import { POOL_LIMITS } from '@shortlist/kit/http/service-pool';
import { until } from '@shortlist/kit/testing/until';
import { uuidv7 } from 'uuidv7';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { once } from 'node:events';
import { bearer, openRequest, send } from './requests.ts';
import { type Bff, respondWith, startBff, useBff } from './support.ts';

const bff = await useBff();
const impatient = await useBff({}, { poolLimits: { ...POOL_LIMITS, idleResponseMs: 200 } });
/** Undici's timers for connections tick twice a second. */
const forgetful = await useBff({}, { poolLimits: { ...POOL_LIMITS, keepAliveMs: 1_500 } });
const begin = async (role: 'user' | 'admin') => {
  const id = uuidv7();
  const token = await bff.begin(role, id);
  return { id, token, ...bearer(token) };
};
const [user, admin] = [await begin('user'), await begin('admin')];
const { token, authorization } = user;
const USER = { role: 'user', userId: user.id, address: '127.0.0.1' };
beforeEach(() => {
  bff.upstream.respond = respondWith(() => ({ data: [] }));
});
const HISTORY = publicEndpoints.creditsHistory.path;
const readHistory = () => bff.call('creditsHistory', { token });
const openHistory = (headers: Record<string, string> = {}): Socket =>
  openRequest(bff.port, `GET ${HISTORY}`, { authorization, ...headers });
/** A charge of a credit, which needs a key. */
const KEY = { 'idempotency-key': 'request-key-1' };

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
    const caller = { role: 'admin', userId: admin.id, address: '127.0.0.1' };
    expect(await bff.callerOf('profile', request)).toMatchObject(caller);
    await expect(bff.callerOf('billing', request)).rejects.toMatchObject({ code: 'service.token_refused' });
  });

  it('B7 only the first Authorization header counts, in any case', async () => {
    const stolen = await bff.sign('profile', { role: 'admin', userId: admin.id });
    const others = { AUTHORIZATION: `Bearer ${stolen}`, 'X-Authorization': `Bearer ${stolen}` };
    const response = await text(openHistory({ ...others, connection: 'close' }));
    expect(response).toMatch(/^HTTP\/1\.1 200/);
    expect(bff.upstream.requests).toHaveLength(1);
    expect(await bff.callerOf('credits', bff.upstream.requests[0])).toMatchObject(USER);
    expect((await bff.call('GET /users', { token: stolen })).status).toBe(401);
  });

  it.each([
    ['/api/users?limit=20', 1],
    ['/api/users?limit=200', 1],
    [`/api/users/${uuidv7()}`, 3],
  ])(
    'J4 a list of any length needs one call to one service, and one user three calls: %s',
    async (path, calls) => {
      bff.upstream.respond = respondWith(({ url = '' }) => {
        const count = Number(new URL(url, bff.upstream.url).searchParams.get('limit') ?? 1);
        const rows = Array.from({ length: count }, (_, index) => ({ id: index }));
        return { data: url.startsWith('/directory') ? rows : {}, planState: { version: 0 } };
      });
      expect((await bff.call(`GET ${path}`, { token: admin.token })).status).toBe(200);
      expect(bff.upstream.requests).toHaveLength(calls);
    },
  );

  it('the user id of a request comes from its session', async () => {
    await bff.call('creditsHistory', { token, query: '?userId=someone&limit=3' });
    expect(bff.upstream.requests[0]?.url).toBe(`/credits/${user.id}/history?userId=someone&limit=3`);
    expect(await bff.callerOf('credits', bff.upstream.requests[0])).toMatchObject(USER);
  });

  it.each(['{"reason":"email_found"}', '{}'])('B10 a body of %s arrives byte for byte', async (body) => {
    expect((await bff.call('chargeCredit', { token, headers: KEY, body })).status).toBe(200);
    expect(bff.upstream.requests[0]?.body.toString()).toBe(body);
    expect(bff.upstream.requests[0]?.headers).toMatchObject(KEY);
  });

  it('B10 a client that expects 100 Continue gets it, and its body arrives byte for byte', async () => {
    const body = '{"reason":"email_found","reference":"in/one"}';
    const headers = { authorization, 'content-type': 'application/json', expect: '100-continue' };
    const size = { 'content-length': body.length, connection: 'close' };
    const socket = openRequest(bff.port, 'POST /api/credits/spend', { ...headers, ...size });
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 100/);
    expect(bff.upstream.requests).toEqual([]);
    socket.write(body);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200/);
    expect(bff.upstream.requests.map((upstreamRequest) => upstreamRequest.body.toString())).toEqual([body]);
  });

  it.each(['chargeCredit', 'creditsHistory'] as const)(
    'a client’s preference for lenient handling reaches no service, which refuses its unknown fields: %s',
    async (name) => {
      await bff.call(name, { token, headers: LENIENT });
      expect(bff.upstream.requests).toHaveLength(1);
      expect(bff.upstream.requests[0]?.headers.prefer).toBeUndefined();
    },
  );

  const SENDGRID = { [SENDGRID_SIGNATURE_HEADER]: 'MEUC=', [SENDGRID_TIMESTAMP_HEADER]: '1795818848' };
  describe.each<[provider: string, service: string, bytes: number, signature: Record<string, string>]>([
    ['stripe', 'billing', STRIPE_WEBHOOK_BYTES, { 'stripe-signature': 't=1,v1=abc' }],
    ['sendgrid', 'worker', SENDGRID_WEBHOOK_BYTES, SENDGRID],
  ])('a webhook of %s', (provider, service, bytes, signature) => {
    const OWN = { cookie: 'x=y', origin: 'https://provider.test', 'content-type': 'text/plain' };
    const post = (body: Buffer, headers: Record<string, string> = {}) =>
      bff.call(`POST /api/webhooks/${provider}`, {
        token: 'x',
        headers: { ...signature, ...OWN, ...headers },
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

    it.each([
      ['is too large', { 'content-length': String(bytes + 1) }, 413, 'request.too_large'],
      ['does not announce its size', { 'transfer-encoding': 'chunked' }, 411, 'request.length_missing'],
    ])('B13 is refused before it arrives if it %s', async (_if, headers, status, code) => {
      expect(await post(randomBytes(100), headers as Record<string, string>)).toMatchObject({ status, code });
      expect(bff.upstream.requests).toEqual([]);
    });
  });

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
    const socket = openHistory();
    await until('the request', () => bff.upstream.requests.length === 1);
    socket.destroy();
    await until('the abort of the upstream request', () => bff.upstream.requests[0]?.aborted === true);
  });

  it.each(['creditsHistory', 'chargeCredit'] as const)(
    'B10 a service that does not respond to %s within the time limit causes a 504',
    async (name) => {
      impatient.upstream.respond = () => undefined;
      const { status, code } = await impatient.call(name, { as: 'user', headers: KEY });
      expect([status, code]).toEqual([504, 'service.timeout']);
    },
  );

  it('the time limit of a service that does not respond is ten seconds', () => {
    expect(POOL_LIMITS.idleResponseMs).toBe(10_000);
  });

  describe('while bff closes', () => {
    let closing: Bff;
    let headers: { authorization: string };
    let agent: Agent;
    beforeEach(async () => {
      closing = await startBff(inject('sessionsRedisUrl'));
      headers = bearer(await closing.begin('user'));
      agent = new Agent({ keepAlive: true });
    });
    afterEach(async () => {
      agent.destroy();
      await closing.close();
    });
    /** Sends a request over a keep-alive connection, as a browser or a load balancer does. */
    const sendKeepAlive = (path: string): Promise<unknown> =>
      new Promise((resolve, reject) => {
        const request = httpRequest({ port: closing.port, path, agent, headers }, (response) => {
          const { statusCode: status, headers: sent } = response.resume();
          response.on('end', () => resolve({ status, connection: sent.connection }));
        });
        request.on('error', reject).end();
      });

    it('B12 the requests in flight are completed, and no new ones accepted', async () => {
      const pending: (() => void)[] = [];
      closing.upstream.respond = (_request, response) =>
        void pending.push(() =>
          response.writeHead(200, { connection: 'keep-alive' }).end('{"delayed":true}'),
        );
      // Half of them are proxied, the other half composed by bff.
      const paths = Array.from({ length: 20 }, (_, at) => (at % 2 ? HISTORY : '/api/subscription'));
      const inFlight = Promise.all(paths.map(sendKeepAlive));
      await until('all requests', () => pending.length === 20);

      let isClosed = false;
      const closed = closing.stopServing().then(() => (isClosed = true));
      await expect(send(closing.port, '/api/config')).rejects.toThrow(/ECONNREFUSED|ECONNRESET/);
      expect(isClosed).toBe(false);
      for (const release of pending) release();
      expect(await inFlight).toEqual(paths.map(() => ({ status: 200, connection: 'close' })));
      // Long before the keep-alive timeout of a connection.
      await until('the close', () => isClosed, 20_000);
      await closed;
    });

    it('B12 a request that is sent on a keep-alive connection gets a response, not a reset', async () => {
      expect(await sendKeepAlive(HISTORY)).toEqual({ status: 200, connection: 'keep-alive' });
      const closed = closing.stopServing();
      expect(await sendKeepAlive(HISTORY)).toEqual({ status: 200, connection: 'close' });
      await closed;
    });
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
  const socket = openHistory({ connection: 'close' }).pause();
  await until('a service that waits for the client', () => isBlocked);
  const received = await text(socket);
  expect(received).toMatch(/^HTTP\/1\.1 200/);
  expect(received.slice(received.indexOf('\r\n\r\n') + 4) === body).toBe(true);
});

/** The drain of a pod in the chart: an idle connection that its client kept for longer could be closed under a request. */
const DRAIN_MS = 5_000;

describe('an idle connection to a service', () => {
  it('B12 is kept for less than the time of a drain', () => {
    expect(POOL_LIMITS.keepAliveMs).toBeLessThan(DRAIN_MS);
  });

  it.each([
    ['a read that is passed on', 'creditsHistory'],
    ['a change that is passed on', 'chargeCredit'],
    ['a call of a service', 'openInvoiceFile'],
  ] as const)('B12 of %s is used again, and ends when it is idle', async (_of, name) => {
    const sockets = new Set<Socket>();
    forgetful.upstream.respond = (request, response) => {
      sockets.add(request.socket);
      respondWith(() => ({ data: {} }))(request, response, Buffer.alloc(0));
    };
    for (let round = 0; round < 2; round += 1)
      expect((await forgetful.call(name, { as: 'user', id: 'in_1', headers: KEY })).status).toBe(200);
    expect(sockets.size).toBe(1);
    // The service itself would keep it for over a minute.
    await until('the end of the connection', () => [...sockets].every(({ closed }) => closed), 20_000);
  });
});
