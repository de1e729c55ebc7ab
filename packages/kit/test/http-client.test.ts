import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Endpoint } from '@shortlist/contracts/api/endpoint';
import { afterEach, expect, it } from 'vitest';
import { createServiceClient, type ServiceClient } from '../src/http/http-client.ts';
import { createServicePool } from '../src/http/service-pool.ts';
import { createTokenSigner, createTokenVerifier } from '../src/http/service-token.ts';
import { clock } from './notes-table.ts';

const KEY = { id: 'one', secret: 'a key that only this test run knows' };
const read: Endpoint<{ id: string; page?: number; missing?: string }, { n: number }> = {
  method: 'GET',
  path: '/notes/:id',
};
const write: Endpoint<{ id: string; text?: string }, { n: number }> = { method: 'POST', path: '/notes/:id' };
const options = { caller: { role: 'user', userId: 'ana' }, timeoutMs: 60_000 } as const;
const impatient = { ...options, timeoutMs: 300 } as const;

let server: Server | null = null;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

const serveBy = async (listener: RequestListener): Promise<ServiceClient> => {
  server = createServer(listener);
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return createServiceClient({
    audience: 'notes',
    pool: createServicePool(url),
    sign: createTokenSigner({ keys: { notes: [KEY] }, clock }),
  });
};

/** Fails `times` times with `status`, then responds; counts its requests. */
const failing = async (
  times: number,
  status: number,
): Promise<{ call: ServiceClient; requestCount: () => number }> => {
  let requestCount = 0;
  const call = await serveBy((_request, response) => {
    requestCount += 1;
    response.statusCode = requestCount <= times ? status : 200;
    response.end(JSON.stringify({ n: requestCount }));
  });
  return { call, requestCount: () => requestCount };
};

it('a request carries path, query, token and trace', async () => {
  let seen: { url?: string | undefined; token?: string | undefined; trace?: unknown } = {};
  const call = await serveBy((request, response) => {
    seen = {
      url: request.url,
      token: request.headers.authorization?.slice(7),
      trace: request.headers.traceparent,
    };
    response.end('{"n": 1}');
  });
  expect(await call(read, { id: 'a/b', page: 2, missing: undefined as never }, options)).toEqual({ n: 1 });
  expect(seen.url).toBe('/notes/a%2Fb?page=2');
  expect(seen.trace).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
  const verify = createTokenVerifier({ keys: [KEY], audience: 'notes', clock });
  expect(await verify(seen.token)).toEqual({ role: 'user', userId: 'ana' });
});

it('a call asks the service to drop the fields that it does not know', async () => {
  let preference: unknown;
  const call = await serveBy((request, response) => {
    preference = request.headers.prefer;
    response.end('{"n": 1, "more": true}');
  });
  expect(await call(write, { id: 'a' }, options)).toMatchObject({ n: 1 });
  expect(preference).toBe('handling=lenient');
});

it('an error of the other service is forwarded with its Retry-After', async () => {
  const refusal = { error: { code: 'request.rate_limited', message: 'slower' } };
  const call = await serveBy((_request, response) => {
    response.writeHead(429, { 'retry-after': '7' }).end(JSON.stringify(refusal));
  });
  await expect(call(read, { id: 'a' }, options)).rejects.toMatchObject({
    code: 'request.rate_limited',
    retryAfterSeconds: 7,
  });
});

it('K2 a read is attempted three times', async () => {
  const { call, requestCount } = await failing(2, 503);
  expect(await call(read, { id: 'a' }, options)).toEqual({ n: 3 });
  expect(requestCount()).toBe(3);
});

it('K2 a read that fails three times is unavailable', async () => {
  const { call, requestCount } = await failing(9, 500);
  await expect(call(read, { id: 'a' }, options)).rejects.toMatchObject({ code: 'service.unavailable' });
  expect(requestCount()).toBe(3);
});

it('K2 a change is attempted once', async () => {
  const { call, requestCount } = await failing(1, 503);
  await expect(call(write, { id: 'a' }, options)).rejects.toMatchObject({ code: 'service.unavailable' });
  expect(requestCount()).toBe(1);
});

it('K2 a change that times out is not sent again', async () => {
  let requestCount = 0;
  const call = await serveBy(() => (requestCount += 1));
  await expect(call(write, { id: 'a' }, impatient)).rejects.toMatchObject({
    code: 'service.timeout',
    status: 504,
  });
  // On a busy machine the time may be over before the request arrives.
  expect(requestCount).toBeLessThanOrEqual(1);
});

it('K2 a read that times out is not repeated, so that its caller waits only once', async () => {
  const call = await serveBy(() => undefined);
  const began = performance.now();
  await expect(call(read, { id: 'a' }, { ...options, timeoutMs: 1_000 })).rejects.toMatchObject({
    code: 'service.timeout',
  });
  expect(performance.now() - began).toBeLessThan(1_900);
});

it('K2 a response body that stops half way times out too', async () => {
  const call = await serveBy((_request, response) => void response.write('{"n":'));
  await expect(call(write, { id: 'a' }, impatient)).rejects.toMatchObject({ code: 'service.timeout' });
});

it('K2 a refused connection fails at once', async () => {
  const sign = createTokenSigner({ keys: { notes: [KEY] }, clock });
  const call = createServiceClient({
    audience: 'notes',
    pool: createServicePool('http://127.0.0.1:9'),
    sign,
  });
  await expect(call(read, { id: 'a' }, options)).rejects.toMatchObject({ code: 'service.unavailable' });
});

it('an error with fields is forwarded with them, without a retry', async () => {
  let requestCount = 0;
  const call = await serveBy((_request, response) => {
    requestCount += 1;
    response.statusCode = 400;
    response.end(JSON.stringify({ error: { code: 'request.invalid', message: '', fields: { text: 'no' } } }));
  });
  await expect(call(read, { id: 'a' }, options)).rejects.toMatchObject({
    code: 'request.invalid',
    fields: { text: 'no' },
  });
  expect(requestCount).toBe(1);
});

it('B8 a refused service token counts as an unavailable service, not a missing session', async () => {
  const call = await serveBy((_request, response) => {
    response.statusCode = 401;
    response.end(JSON.stringify({ error: { code: 'service.token_refused', message: '' } }));
  });
  await expect(call(write, { id: 'a' }, options)).rejects.toMatchObject({ status: 503 });
});
