import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { serve, type Serving } from '@shortlist/kit/http/serve';
import { POOL_LIMITS } from '@shortlist/kit/http/service-pool';
import { until } from '@shortlist/kit/testing/until';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createProxies, createReadProxies } from '../src/http/proxied.ts';
import { ANONYMOUS, createPools, createServices, type Services } from '../src/services.ts';

/** The drain of a pod in the chart: an idle connection that its client kept for longer could be closed under a request. */
const DRAIN_MS = 5_000;

/** Undici's timers for connections tick twice a second. */
const poolLimits = { ...POOL_LIMITS, keepAliveMs: 1_500 };

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
