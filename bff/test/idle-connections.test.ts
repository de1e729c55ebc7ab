import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { defineEndpoint } from '@shortlist/contracts/api/endpoint';
import { createServiceClient } from '@shortlist/kit/http/http-client';
import { serve, type Serving } from '@shortlist/kit/http/serve';
import { until } from '@shortlist/kit/testing/until';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ANONYMOUS } from '../src/upstream/services.ts';
import { createProxies } from '../src/upstream/proxy.ts';
import { createReadProxies } from '../src/upstream/read-proxy.ts';

/** The drain of a pod in the chart: an idle connection that its client kept for longer could be closed under a request. */
const DRAIN_MS = 5_000;

let service: Serving;
let proxy: Server;
const sockets = new Set<Socket>();

beforeAll(async () => {
  service = await serve((_request, response) => response.end('{}'), { host: '127.0.0.1', port: 0 });
  service.server.on('connection', (socket: Socket) => sockets.add(socket));
  const url = `http://127.0.0.1:${service.port}`;
  const urls = { identity: url, profile: url, billing: url, credits: url };
  const [changes, reads] = [createProxies(urls), createReadProxies(urls)];
  proxy = createServer((request, response) => {
    if (request.method === 'GET') reads.credits({ path: '/', headers: {} }, { request, response });
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
  const [audience, url] = ['credits', `http://127.0.0.1:${service.port}`];
  const client = createServiceClient({ audience, url, sign: () => Promise.resolve('') });
  await client(defineEndpoint<object, object>('GET', '/'), {}, { caller: ANONYMOUS });
};

it.each([
  ['the proxy of reads', () => throughProxy('GET')],
  ['the proxy of changes', () => throughProxy('POST')],
  ["a service's client", throughClient],
])('B12 %s uses no connection that was idle for the time of a drain', async (_client, use) => {
  sockets.clear();
  await use();
  const usedAt = performance.now();
  expect(sockets.size).toBe(1);
  await until('the end of the connection', () => [...sockets].every(({ closed }) => closed), 10_000);
  expect(performance.now() - usedAt).toBeLessThan(DRAIN_MS);
  expect(performance.now() - usedAt).toBeGreaterThan(1_000);
});
