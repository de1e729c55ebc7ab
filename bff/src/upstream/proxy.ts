import { Agent, type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { closedSignal, sendError } from '@shortlist/kit/http/respond';
import {
  CONNECTIONS_MAX,
  failedRequest,
  POOL_LIMITS,
  type ServicePool,
} from '@shortlist/kit/http/service-pool';
import { AppError, createError } from '@shortlist/kit/process/errors';
import { createProxyMiddleware } from 'http-proxy-middleware';
import type { ServiceName, ServicePools } from './services.ts';

/**
 * A service returns 401 only for a service token that it considers stale, because a clock is wrong. Passed on to the browser, it
 * would log the user out.
 */
const isTokenRefused = (statusCode: number | undefined): boolean => statusCode === 401;

/** A GET or HEAD request of a service, without a body. */
export type Read = { path: string; headers: Record<string, string> };

/** Streams the response of a service to a read. */
export type ReadProxy = (read: Read, exchange: ReadExchange) => Promise<void>;

type ReadExchange = { request: IncomingMessage; response: ServerResponse };

/** They apply to one hop. */
const CONNECTION_HEADERS = ['connection', 'keep-alive', 'transfer-encoding'];

const createReadProxy =
  (pool: ServicePool): ReadProxy =>
  async ({ path, headers }, { request, response }) => {
    const method = request.method === 'HEAD' ? 'HEAD' : 'GET';
    const signal = closedSignal(response);
    await pool
      .stream({ method, path, headers, signal }, (incoming) => {
        if (isTokenRefused(incoming.statusCode)) throw createError('service.unavailable');
        for (const name of CONNECTION_HEADERS) delete incoming.headers[name];
        return response.writeHead(incoming.statusCode, incoming.headers);
      })
      .catch((cause: unknown) => {
        signal.throwIfAborted();
        throw cause instanceof AppError ? cause : failedRequest(cause);
      });
  };

export const createReadProxies = (pools: ServicePools): Record<ServiceName, ReadProxy> => ({
  identity: createReadProxy(pools.identity),
  profile: createReadProxy(pools.profile),
  billing: createReadProxy(pools.billing),
  credits: createReadProxy(pools.credits),
  worker: createReadProxy(pools.worker),
});

export type Proxy = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Requests whose service timed out: the proxy reports those as a connection reset. */
const timedOut = new WeakSet<IncomingMessage>();

const onError = (error: Error, request: IncomingMessage, response: ServerResponse | Socket): void => {
  if (response instanceof Socket) return void response.destroy();
  const code = timedOut.has(request) ? 'service.timeout' : 'service.unavailable';
  sendError(response, createError(code, { cause: error }));
};

const onResponse = (incoming: IncomingMessage, _request: IncomingMessage, response: ServerResponse): void => {
  // Connection headers apply to one hop; the service's are not the client's.
  const keepsAlive = response.shouldKeepAlive && !response.hasHeader('connection');
  incoming.headers.connection = keepsAlive ? 'keep-alive' : 'close';
  delete incoming.headers['keep-alive'];
  if (!isTokenRefused(incoming.statusCode)) return;
  incoming.resume();
  sendError(response, createError('service.unavailable'));
};

const watchTimeout = (outgoing: ClientRequest, request: IncomingMessage): void => {
  outgoing.on('timeout', () => timedOut.add(request));
};

/** Creates a streaming proxy for each service, over kept connections. The target is fixed: no request can choose the host. */
export const createProxies = (
  urls: Record<ServiceName, string>,
  { idleResponseMs, keepAliveMs } = POOL_LIMITS,
): Record<ServiceName, Proxy> => {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS_MAX, timeout: keepAliveMs });
  const proxyTo = (target: string): Proxy => {
    const proxy = createProxyMiddleware<IncomingMessage, ServerResponse>({
      target,
      agent,
      xfwd: false,
      proxyTimeout: idleResponseMs,
      on: { error: onError, proxyReq: watchTimeout, proxyRes: onResponse },
    });
    return (request, response) => proxy(request, response);
  };
  return {
    identity: proxyTo(urls.identity),
    profile: proxyTo(urls.profile),
    billing: proxyTo(urls.billing),
    credits: proxyTo(urls.credits),
    worker: proxyTo(urls.worker),
  };
};
