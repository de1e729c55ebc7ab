import { once } from 'node:events';
import type { Socket } from 'node:net';
import { serve, type Serving } from '@shortlist/kit/http/serve';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '@shortlist/kit/testing/until';
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

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

it.each([
  ['the proxy of reads', 'GET', () => portOf(proxy)],
  ['the proxy of changes', 'POST', () => portOf(proxy)],
  ["a service's client", 'GET', () => service.port],
])('B12 %s uses no connection that was idle for the time of a drain', async (_client, method, port) => {
  sockets.clear();
  await (await fetch(`http://127.0.0.1:${port()}/`, { method })).text();
  const usedAt = performance.now();
  expect(sockets.size).toBe(1);
  await until('the end of the connection', () => [...sockets].every(({ closed }) => closed), 10_000);
  expect(performance.now() - usedAt).toBeLessThan(DRAIN_MS);
  expect(performance.now() - usedAt).toBeGreaterThan(1_000);
});
