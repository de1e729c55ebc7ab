import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { operationsOf } from '@shortlist/contracts/api/operation';
import { mayLack, nonEmptyText } from '@shortlist/contracts/schemas/validation';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createExpressApp, observe, readJson } from '../src/http/express-app.ts';
import { byServiceToken, createRouter } from '../src/http/router.ts';
import { serve, type Serving } from '../src/http/serve.ts';
import { type Caller, createTokenSigner, createTokenVerifier } from '../src/http/service-token.ts';
import { createError } from '../src/process/errors.ts';
import { createLog } from '../src/process/log.ts';
import { createMetrics } from '../src/process/metrics.ts';
import { until } from '../src/testing/until.ts';
import { silent } from './notes-table.ts';
import Joi from 'joi';

const KEY = { id: 'one', secret: 'a key that only this test run knows' };
const now = new Date();
const clock = (): Date => now;
const sign = createTokenSigner({ keys: { notes: [KEY], credits: [KEY] }, clock });
const user: Caller = { role: 'user', userId: 'ana' };
const admin: Caller = { role: 'admin', userId: 'root' };

const id = nonEmptyText;
const operation = operationsOf('each');
const readNote = operation('GET /notes/:id', {
  roles: ['user', 'admin'],
  self: 'id',
  input: { id, page: mayLack(Joi.number()) },
  reply: { id },
});
const writeNote = operation('PUT /notes/:id', {
  roles: ['admin'],
  input: {
    id,
    text: nonEmptyText.min(3),
    tag: mayLack(Joi.string().pattern(/^x+$/)),
  },
  reply: { id },
});
const breakNote = operation('POST /broken', {
  roles: ['admin'],
  input: { why: nonEmptyText },
  reply: {},
});

const FAILURES: Record<string, Error> = {
  known: createError('profile.not_found'),
  deadlock: Object.assign(new Error('Deadlock found'), { code: 'ER_LOCK_DEADLOCK' }),
};

const lines: { route?: string; userId?: string }[] = [];
const accessLog = createLog('notes', 'info', {
  destination: { write: (line) => void lines.push(JSON.parse(line) as { route?: string }) },
});

let serving: Serving;
let url = '';
beforeAll(async () => {
  const app = createExpressApp(silent, (routes) => {
    routes.use(observe({ log: accessLog, metrics: createMetrics('notes') }));
    routes.use(readJson());
    const identify = byServiceToken(createTokenVerifier({ keys: [KEY], audience: 'notes', clock }));
    const router = createRouter(routes, { identify, withRights: (_caller, handle) => handle() });
    router.add(readNote, ({ input }) => Promise.resolve({ id: input.id }));
    router.add(writeNote, ({ input }) => Promise.resolve({ id: input.id }));
    router.add(breakNote, ({ input: { why } }) =>
      Promise.reject(FAILURES[why] ?? new Error(`SELECT ${why}`)),
    );
    router.close();
  });
  serving = await serve(app, { host: '127.0.0.1', port: 0 });
  url = `http://127.0.0.1:${serving.port}`;
});
afterAll(() => serving.close());

type Asked = {
  status: number;
  headers: Headers;
  body: { error?: { code: string; fields?: object; message: string; requestId: string } };
};
const ask = async (path: string, init: RequestInit & { token?: string | null } = {}): Promise<Asked> => {
  const token = init.token === undefined ? await sign('notes', admin) : init.token;
  const headers = {
    'content-type': 'application/json',
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
  };
  const response = await fetch(`${url}${path}`, {
    ...init,
    headers: { ...headers, ...(init.headers as object) },
  });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Asked['body'],
  };
};
const put = (body: string, headers: Record<string, string> = {}): Promise<Asked> =>
  ask('/notes/1', { method: 'PUT', body, headers });

describe('requests', () => {
  // bff passes a body on as it arrives: treated as missing, it would change the meaning of the request.
  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/problem+json'])(
    'with a body of the type %s are refused',
    async (type) => {
      const { status, body } = await put('{"text":"x"}', { 'content-type': type });
      expect([status, body.error?.code]).toEqual([415, 'request.unsupported_type']);
    },
  );

  it.each(['', '; charset=utf-8', '; charset="UTF8"', ';charset=unicode-1-1-utf-8', ' ; Charset = UTF-8'])(
    'with JSON of the type application/json%s are read',
    async (parameters) => {
      const { status } = await put('{"text":"éèê"}', { 'content-type': `Application/JSON${parameters}` });
      expect(status).toBe(200);
    },
  );

  it.each(['latin1', 'utf-16', 'utf-7', 'ascii', '"iso-8859-1"', 'no-such'])(
    'with JSON in %s are refused with a message, not decoded as another encoding',
    async (charset) => {
      const { status, body } = await put('{"text":"x"}', {
        'content-type': `application/json; charset=${charset}`,
      });
      expect([status, body.error?.code]).toEqual([415, 'request.unsupported_charset']);
    },
  );

  it.each([
    ['malformed JSON', '{"text": ', 400, 'request.malformed'],
    ['no object', '"text"', 400, 'request.malformed'],
    ['an array', '[1]', 400, 'request.invalid'],
    ['nothing', '', 400, 'request.invalid'],
    ['a wrong type', '{"text": {"a": 1}}', 400, 'request.invalid'],
    ['more than 64 KB', JSON.stringify({ text: 'x'.repeat(70_000) }), 413, 'request.too_large'],
  ])('J6 %s is refused with 400', async (_, body, ...refusal) => {
    const reply = await put(body);
    expect([reply.status, reply.body.error?.code]).toEqual(refusal);
  });

  it.each([
    ['65 fields', Object.fromEntries(Array.from({ length: 65 }, (_, index) => [`k${index}`, 1]))],
    [
      '65 fields in a field',
      { text: Object.fromEntries(Array.from({ length: 65 }, (_, index) => [index, 1])) },
    ],
    ['a list of 65 items', { text: Array.from({ length: 65 }, () => 1) }],
    ['a nested list', { text: [[[[[1]]]]] }],
  ])('B13 %s are refused as a whole, before a schema reports each', async (_, body) => {
    const { status, body: refusal } = await put(JSON.stringify(body));
    expect([status, refusal.error?.code, refusal.error?.fields]).toEqual([400, 'request.invalid', undefined]);
  });

  it('B13 only ten unknown fields are named, with shortened names', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `${index} ${'\u0001"'.repeat(60)}`);
    const { body } = await put(JSON.stringify({ ...Object.fromEntries(names.map((name) => [name, 1])) }));
    expect(Object.keys(body.error?.fields ?? {})).toHaveLength(10);
    expect(JSON.stringify(body).length).toBeLessThan(4_096);
  });

  it('between our processes drop unknown fields; what a client sends with one is refused', async () => {
    const body = JSON.stringify({ text: 'hello', more: { of: 'it' } });
    expect((await put(body, { prefer: 'handling=lenient' })).status).toBe(200);
    expect((await ask('/notes/1?more=1', { headers: { prefer: 'handling=lenient' } })).status).toBe(200);
    const { status, body: refusal } = await put(body);
    expect([status, refusal.error?.fields]).toEqual([400, { more: 'There is no field with this name' }]);
    expect((await ask('/notes/1?more=1')).status).toBe(400);
    // A known field is compared all the same.
    expect((await put('{"text":"a"}', { prefer: 'handling=lenient' })).status).toBe(400);
  });

  it('B13 no message repeats a value', async () => {
    const { body } = await put(JSON.stringify({ text: 'xyz secret', tag: 'secret' }));
    expect(JSON.stringify(body)).not.toContain('secret');
    expect(body.error?.fields).toEqual({ tag: 'tag has a wrong form' });
    expect(body.error?.message).toBe('Please check the highlighted fields.');
  });

  it('J6 an unknown charset or content encoding is refused too', async () => {
    expect((await put('{}', { 'content-type': 'application/json; charset=klingon' })).status).toBe(415);
    expect((await put('{}', { 'content-encoding': 'rot13' })).status).toBe(415);
  });

  it('J6 a path that cannot be decoded is refused', async () => {
    expect((await ask('/notes/%E0%A4%A')).status).toBe(400);
  });

  it('B11 two Host headers are refused, before the caller is identified', async () => {
    const lines = ['GET /notes/1 HTTP/1.1', 'Host: notes', 'HOST: credits', 'Connection: close'];
    const socket = connect(serving.port, '127.0.0.1');
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 [^]*request\.malformed/);
  });

  it('a known path with another method is 405 with the allowed methods', async () => {
    const reply = await ask('/notes/1', { method: 'DELETE' });
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'GET, PUT']);
    expect(reply.body.error?.code).toBe('request.method_not_allowed');
  });

  it('an unknown path is 404', async () => {
    expect((await ask('/nowhere')).body.error?.code).toBe('request.not_found');
  });

  it('invalid fields are returned with their messages', async () => {
    expect((await put('{"text": "a"}')).body.error?.fields).toEqual({
      text: 'text length must be at least 3 characters long',
    });
  });
});

describe('responses', () => {
  it('an error has the agreed form, with the id of the request', async () => {
    const reply = await ask('/nowhere');
    expect(Object.keys(reply.body)).toEqual(['error']);
    expect(reply.body.error?.requestId).toBe(reply.headers.get('x-request-id'));
  });

  it('V9 an internal error reveals nothing internal', async () => {
    const reply = await ask('/broken', { method: 'POST', body: '{"why": "password FROM accounts"}' });
    expect(reply.status).toBe(500);
    expect(JSON.stringify(reply.body)).not.toMatch(/SELECT|accounts|stack|at /);
  });

  it('an error that a client may see keeps its code', async () => {
    const reply = await ask('/broken', { method: 'POST', body: '{"why": "known"}' });
    expect([reply.status, reply.body.error?.code]).toEqual([404, 'profile.not_found']);
  });

  it('a transaction that remains a deadlock victim may be tried again', async () => {
    const reply = await ask('/broken', { method: 'POST', body: '{"why": "deadlock"}' });
    expect([reply.status, reply.body.error?.code]).toEqual([503, 'service.unavailable']);
    expect(reply.headers.get('retry-after')).toBe('1');
  });

  it('K5 the trace of the caller continues', async () => {
    const reply = await ask('/nowhere', {
      headers: { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` },
    });
    expect(reply.body.error?.requestId).toBe('a'.repeat(32));
  });
});

describe('callers', () => {
  it.each<[string, () => Promise<string | null>]>([
    ['none', () => Promise.resolve(null)],
    ['an empty one', () => Promise.resolve('')],
    ['nonsense', () => Promise.resolve('a.b.c')],
    ['one made for another service', () => sign('credits', admin)],
  ])('B8 a request with %s is refused', async (_, token) => {
    const reply = await ask('/notes/1', { token: await token() });
    expect([reply.status, reply.body.error?.code]).toEqual([401, 'service.token_refused']);
  });

  it('a role that is not listed is 403, and another user’s id is 404', async () => {
    const token = await sign('notes', user);
    expect((await ask('/notes/ana', { token })).status).toBe(200);
    expect((await ask('/notes/bob', { token })).body.error?.code).toBe('request.not_found');
    expect((await ask('/notes/ana', { token, method: 'PUT', body: '{"text":"hello"}' })).status).toBe(403);
  });

  it('the access log has the id of the call’s user', async () => {
    lines.length = 0;
    const token = await sign('notes', user);
    await ask('/notes/ana', { token, method: 'PUT', body: '{"text":"hello"}' });
    await until('the line', () => Promise.resolve(lines.length > 0));
    expect(lines).toMatchObject([{ route: '/notes/:id', status: 403, userId: 'ana' }]);
  });
});
