import { randomBytes } from 'node:crypto';
import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { until } from '@shortlist/kit/testing/until';
import { uuidv7 } from 'uuidv7';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { answering, type Bff, send, startBff } from './support.ts';

describe('passing requests on', () => {
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
    bff.upstream.seen.length = 0;
    bff.upstream.reply = answering(() => ({ data: [] }));
  });

  it('B7 what a client may not set never reaches a service; the service hears only our word', async () => {
    await send(bff.port, '/api/users?limit=5', {
      headers: {
        authorization: admin.authorization,
        'X-User-Id': 'somebody-else',
        'x-ROLE': 'admin',
        'X-Forwarded-For': '1.2.3.4',
        'X-Forwarded-Host': 'evil.test',
        'X-Forwarded-Proto': 'https',
        Forwarded: 'for=1.2.3.4',
        Cookie: 'a=b',
        TraceParent: '00-11111111111111111111111111111111-2222222222222222-01',
        TraceState: 'a=b',
        'Proxy-Authorization': 'x',
        // Of one hop only: what stands between the client and us, and what it would have us drop on the way.
        Connection: 'close, authorization, x-role',
        'Keep-Alive': 'timeout=600',
        TE: 'trailers',
        Upgrade: 'h2c',
      },
    });
    const [seen] = bff.upstream.seen;
    expect(seen?.url).toBe('/directory?limit=5');
    const names = Object.keys(seen?.headers ?? {}).filter((name) => name !== 'host');
    expect(names.sort()).toEqual(['authorization', 'connection', 'traceparent']);
    expect(seen?.headers.connection).toBe('keep-alive');
    expect(seen?.headers.traceparent).not.toContain('1111111111111111');
    expect(await bff.callerSeen('profile', seen)).toEqual({ role: 'admin', userId: admin.id });
    await expect(bff.callerSeen('billing', seen)).rejects.toMatchObject({ code: 'service.token_refused' });
  });

  it('B7 a second word of who asks, in whatever case, is not heard', async () => {
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
    expect(bff.upstream.seen).toHaveLength(1);
    expect(await bff.callerSeen('credits', bff.upstream.seen[0])).toEqual({ role: 'user', userId: user.id });
    const alone = await send(bff.port, '/users', { headers: { authorization: `Bearer ${stolen}` } });
    expect(alone.status).toBe(401);
  });

  it('J4 a list asks one service once however long it is, and a composed person three once each', async () => {
    bff.upstream.reply = answering(({ url = '' }) => {
      const count = Number(new URL(url, bff.upstream.url).searchParams.get('limit') ?? 1);
      const rows = Array.from({ length: count }, (_, index) => ({ id: index }));
      return { data: url.startsWith('/directory') ? rows : {}, planState: { version: 0 } };
    });
    const options = async (path: string): Promise<number> => {
      bff.upstream.seen.length = 0;
      expect((await send(bff.port, path, { headers: { authorization: admin.authorization } })).status).toBe(
        200,
      );
      return bff.upstream.seen.length;
    };
    expect(await options('/api/users?limit=20')).toBe(1);
    expect(await options('/api/users?limit=200')).toBe(1);
    expect(await options(`/api/users/${uuidv7()}`)).toBe(3);
  });

  it('a person is passed on under their own id, whatever they ask', async () => {
    await send(bff.port, '/api/credits/history?userId=someone&limit=3', {
      headers: { authorization: user.authorization },
    });
    expect(bff.upstream.seen[0]?.url).toBe(`/credits/${user.id}/history?userId=someone&limit=3`);
    expect(await bff.callerSeen('credits', bff.upstream.seen[0])).toEqual({ role: 'user', userId: user.id });
  });

  it.each([
    ['JSON', '{"reason":"email_found"}', 'application/json'],
    ['an empty object', '{}', 'application/json'],
    ['64 KB of bytes', randomBytes(65_536), 'application/octet-stream'],
  ])('B10 %s arrives byte for byte', async (_name, body, type) => {
    const reply = await send(bff.port, '/api/credits/spend', {
      method: 'POST',
      headers: {
        authorization: user.authorization,
        'content-type': type,
        'idempotency-key': 'key-of-mine-1',
      },
      body,
    });
    expect(reply.status).toBe(200);
    expect(bff.upstream.seen[0]?.body.equals(Buffer.from(body as string))).toBe(true);
    expect(bff.upstream.seen[0]?.headers['idempotency-key']).toBe('key-of-mine-1');
  });

  it('B10 a client that asks before it sends is told to go on, and its body arrives byte for byte', async () => {
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
    expect(bff.upstream.seen.map((seen) => seen.body.toString())).toEqual([body]);
  });

  it('B10 a webhook passes unread: its bytes, its signature, chunked or not, five megabytes of it', async () => {
    for (const headers of [{ 'content-length': String(5 << 20) }, { 'transfer-encoding': 'chunked' }]) {
      const body = randomBytes(5 << 20);
      const reply = await send(bff.port, '/api/webhooks/stripe', {
        method: 'POST',
        headers: {
          ...headers,
          'stripe-signature': 't=1,v1=abc',
          cookie: 'x=y',
          origin: 'https://stripe.test',
        },
        body,
      });
      expect(reply.status).toBe(200);
      const seen = bff.upstream.seen.at(-1);
      expect(seen?.url).toBe('/webhooks/stripe');
      expect(seen?.headers['stripe-signature']).toBe('t=1,v1=abc');
      expect(seen?.body.equals(body)).toBe(true);
    }
  });

  it('B10 a service that dies before or in its answer ends the request, and a change is not sent twice', async () => {
    bff.upstream.reply = (request) => request.socket.destroy();
    const headers = { authorization: user.authorization, 'content-type': 'application/json' };
    const dead = await send(bff.port, '/api/credits/spend', { method: 'POST', headers, body: '{}' });
    expect(dead.status).toBe(503);
    expect(bff.upstream.seen).toHaveLength(1);

    bff.upstream.reply = (request, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('half');
      setTimeout(() => request.socket.destroy(), 20);
    };
    await expect(send(bff.port, '/api/credits/history', { headers })).rejects.toThrow();
  });

  it('X23 a service that takes our token for stale, since a clock is wrong, is unavailable: nobody is logged out', async () => {
    bff.upstream.reply = (_request, response) =>
      void response.writeHead(401).end(JSON.stringify({ error: { code: 'service.token_refused' } }));
    const headers = { authorization: user.authorization };
    const reply = await send(bff.port, '/api/credits/history', { headers });
    expect(reply.status).toBe(503);
    expect(reply.body).toContain('service.unavailable');
    expect(reply.body).not.toContain('token_refused');
  });

  it('B10 a client that goes away lets the service know', async () => {
    bff.upstream.reply = () => undefined;
    const socket = connect(bff.port, '127.0.0.1');
    socket.write(
      `GET /api/credits/history HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${user.authorization}\r\n\r\n`,
    );
    await until('the request', () => bff.upstream.seen.length === 1);
    socket.destroy();
    await until('its end', () => bff.upstream.seen[0]?.aborted === true);
  });

  it('B10 a service that says nothing is given up on after the stated limit, with 504', async () => {
    bff.upstream.reply = () => undefined;
    const reply = await send(bff.port, '/api/credits/history', {
      headers: { authorization: user.authorization },
    });
    expect(reply.status).toBe(504);
    expect(JSON.parse(reply.body)).toMatchObject({ error: { code: 'service.timeout' } });
  });

  type Asked = { status: number; connection: string | undefined };
  /** Asks on a kept connection, as a browser or a load balancer does. */
  const askKept = (
    agent: Agent,
    other: Bff,
    { path, token }: { path: string; token: string },
  ): Promise<Asked> =>
    new Promise((resolve, reject) => {
      const options = { port: other.port, path, agent, headers: { authorization: token } };
      const request = httpRequest(options, (response) => {
        const { statusCode: status = 0, headers } = response.resume();
        response.on('end', () => resolve({ status, connection: headers.connection }));
      });
      request.on('error', reject).end();
    });

  it('B12 closing lets requests in flight end, and takes no new ones', async () => {
    const other = await startBff(inject('sessionsRedisUrl'));
    const { token } = await other.sessions.begin(uuidv7(), 'user');
    const pending: (() => void)[] = [];
    other.upstream.reply = (_request, response) =>
      void pending.push(() => response.writeHead(200, { connection: 'keep-alive' }).end('{"late":true}'));
    const agent = new Agent({ keepAlive: true });
    // Half of them only pass on, the other half are composed here.
    const paths = Array.from({ length: 20 }, (_, at) =>
      at % 2 ? '/api/credits/history' : '/api/subscription',
    );
    const inFlight = Promise.all(paths.map((path) => askKept(agent, other, { path, token })));
    await until('all requests', () => pending.length === 20);

    let isClosed = false;
    const closed = other.stopServing().then(() => (isClosed = true));
    await expect(send(other.port, '/api/config')).rejects.toThrow(/ECONNREFUSED|ECONNRESET/);
    expect(isClosed).toBe(false);
    for (const release of pending) release();
    expect(await inFlight).toEqual(paths.map(() => ({ status: 200, connection: 'close' })));
    // Long before the time for which a connection is kept.
    await until('the end', () => isClosed, 20_000);
    await closed;
    agent.destroy();
    await other.close();
  });

  it('B12 a request that was on its way on a kept connection is answered, and not reset', async () => {
    const other = await startBff(inject('sessionsRedisUrl'));
    const { token } = await other.sessions.begin(uuidv7(), 'user');
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ask = (): Promise<Asked> => askKept(agent, other, { path: '/api/credits/history', token });
    expect(await ask()).toEqual({ status: 200, connection: 'keep-alive' });
    const closed = other.stopServing();
    expect(await ask()).toEqual({ status: 200, connection: 'close' });
    await closed;
    await other.close();
  });
});
