import { Agent, type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { sendError } from '@shortlist/kit/http/respond';
import { createError } from '@shortlist/kit/process/errors';
import { createProxyMiddleware } from 'http-proxy-middleware';
import { PROXY_LIMITS, type ServiceName, SOCKETS_MAX } from './services.ts';

export type Proxy = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Requests whose service timed out: the proxy reports those as a connection reset. */
const timedOut = new WeakSet<IncomingMessage>();

const onError = (error: Error, request: IncomingMessage, response: ServerResponse | Socket): void => {
  if (response instanceof Socket) return void response.destroy();
  const code = timedOut.has(request) ? 'service.timeout' : 'service.unavailable';
  sendError(response, createError(code, { cause: error }));
};

/**
 * A service returns 401 only for a service token that it considers stale, because a clock is wrong. Passed on to the browser, it
 * would log the user out.
 */
const onResponse = (incoming: IncomingMessage, _request: IncomingMessage, response: ServerResponse): void => {
  // Connection headers apply to one hop; the service's are not the client's.
  const keepsAlive = response.shouldKeepAlive && !response.hasHeader('connection');
  incoming.headers.connection = keepsAlive ? 'keep-alive' : 'close';
  delete incoming.headers['keep-alive'];
  if (incoming.statusCode !== 401) return;
  incoming.resume();
  sendError(response, createError('service.unavailable'));
};

const watchTimeout = (outgoing: ClientRequest, request: IncomingMessage): void => {
  outgoing.on('timeout', () => timedOut.add(request));
};

/** Creates a streaming proxy for each service, over kept connections. The target is fixed: no request can choose the host. */
export const createProxies = (
  urls: Record<ServiceName, string>,
  { idleResponseMs, keepAliveMs } = PROXY_LIMITS,
): Record<ServiceName, Proxy> => {
  const agent = new Agent({ keepAlive: true, maxSockets: SOCKETS_MAX, timeout: keepAliveMs });
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
  };
};
