import { Agent, type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { createProxyMiddleware } from 'http-proxy-middleware';
import { createError } from '@shortlist/kit/process/errors';
import { sendError } from '../front/reply.ts';
import type { ServiceName } from '../services.ts';

export type Proxy = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** How long a service may be silent before the caller is told. */
const SILENT_MS = 10_000;
/** Shorter than the services keep idle connections open, so that none is closed as we write on it. */
const IDLE_MS = 30_000;

/** Requests whose service was silent for too long: the proxy itself reports those as a connection reset. */
const silent = new WeakSet<IncomingMessage>();

const onError = (error: Error, request: IncomingMessage, response: ServerResponse | Socket): void => {
  if (response instanceof Socket) return void response.destroy();
  sendError(
    response,
    createError(silent.has(request) ? 'service.timeout' : 'service.unavailable', { cause: error }),
  );
};

/**
 * No service says 401 to a person, only to us: it took our token for stale, since a clock is wrong, theirs or ours. Passed on, that
 * would log the person out.
 */
const onAnswer = (incoming: IncomingMessage, _request: IncomingMessage, response: ServerResponse): void => {
  // Whether a connection is kept is between its two ends: what the service says of ours to it is not the client's.
  const isKept = response.shouldKeepAlive && !response.hasHeader('connection');
  incoming.headers.connection = isKept ? 'keep-alive' : 'close';
  delete incoming.headers['keep-alive'];
  if (incoming.statusCode !== 401) return;
  incoming.resume();
  sendError(response, createError('service.unavailable'));
};

const watchSilence = (outgoing: ClientRequest, request: IncomingMessage): void => {
  outgoing.on('timeout', () => silent.add(request));
};

/** Passes requests on as they stream, over kept connections. One fixed target each: nothing in a request chooses the host. */
export const createProxies = (urls: Record<ServiceName, string>): Record<ServiceName, Proxy> => {
  const agent = new Agent({ keepAlive: true, maxSockets: 256, timeout: IDLE_MS });
  const proxyTo = (target: string): Proxy => {
    const proxy = createProxyMiddleware<IncomingMessage, ServerResponse>({
      target,
      agent,
      xfwd: false,
      proxyTimeout: SILENT_MS,
      on: { error: onError, proxyReq: watchSilence, proxyRes: onAnswer },
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
