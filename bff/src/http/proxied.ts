import { Agent, type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { fillPath } from '@shortlist/contracts/api/endpoint';
import type { PublicEndpoint } from '@shortlist/contracts/api/operation';
import { SENDGRID_SIGNATURE_HEADER, SENDGRID_TIMESTAMP_HEADER } from '@shortlist/contracts/api/email';
import { closedSignal, sendError } from '@shortlist/kit/http/respond';
import {
  CONNECTIONS_MAX,
  failedRequest,
  POOL_LIMITS,
  type ServicePool,
} from '@shortlist/kit/http/service-pool';
import type { TokenSigner } from '@shortlist/kit/http/service-token';
import { AppError, createError } from '@shortlist/kit/process/errors';
import {
  type Attributes,
  currentTrace,
  startSpan,
  type Trace,
  traceparentOf,
} from '@shortlist/kit/process/trace';
import type { Request } from 'express';
import { createProxyMiddleware, fixRequestBody } from 'http-proxy-middleware';
import type { ServiceName, ServicePools } from '../services.ts';
import type { Exchange, Route } from './endpoint.ts';
import { assertAnnounced } from './request-checks.ts';

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

const onRequest = (outgoing: ClientRequest, request: IncomingMessage): void => {
  outgoing.on('timeout', () => timedOut.add(request));
  fixRequestBody(outgoing, request as Request); // a JSON body has been read
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
      on: { error: onError, proxyReq: onRequest, proxyRes: onResponse },
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

/** The request headers that reach a service. All others are dropped. */
const FORWARDED_HEADERS = new Set([
  'accept',
  'accept-language',
  'content-length',
  'content-type',
  'expect',
  'host',
  'idempotency-key',
  'if-none-match',
  'stripe-signature',
  SENDGRID_SIGNATURE_HEADER,
  SENDGRID_TIMESTAMP_HEADER,
]);

/** Those of a read, which has no body. */
const READ_HEADERS = ['accept', 'accept-language', 'if-none-match'] as const;

const headersOfRead = (
  { headers }: IncomingMessage,
  added: Record<string, string>,
): Record<string, string> => {
  const forwarded = { ...added };
  for (const name of READ_HEADERS) {
    const value = headers[name];
    if (value !== undefined) forwarded[name] = value;
  }
  return forwarded;
};

const replaceHeaders = (request: IncomingMessage, added: Record<string, string>): void => {
  for (const name of Object.keys(request.headers))
    if (!FORWARDED_HEADERS.has(name)) delete request.headers[name];
  Object.assign(request.headers, added);
};

/** Starts the span of a call to a service, which ends with the response. Returns the trace that the service continues. */
const traceCall = (name: string, attributes: Attributes, response: ServerResponse): Trace => {
  const span = startSpan(name, { kind: 'client', attributes, parent: currentTrace() ?? null });
  if (span.trace.sampled)
    response.once('close', () => {
      span.set({ 'http.response.status_code': response.statusCode });
      if (response.statusCode >= 400) span.fail(String(response.statusCode));
      span.end();
    });
  return span.trace;
};

type Upstream = {
  sign: TokenSigner;
  proxies: Record<ServiceName, Proxy>;
  reads: Record<ServiceName, ReadProxy>;
};

/** An endpoint to which an operation of a service responds. `hasQuery`: false for one without parameters in its query. */
export type PassedOn = PublicEndpoint<never, unknown> & {
  operation: NonNullable<PublicEndpoint<never, unknown>['operation']>;
  hasQuery?: boolean;
};

export const isPassedOn = (endpoint: PublicEndpoint<never, unknown>): endpoint is PassedOn =>
  endpoint.operation !== null;

/** Responds with what a service responds, on behalf of the caller. */
const respondFrom =
  ({ sign, proxies, reads }: Upstream, { operation, hasQuery = true }: PassedOn, isStream: boolean) =>
  async ({ request, response, url, params, caller }: Exchange): Promise<void> => {
    if (isStream) assertAnnounced(request); // its body is passed on as it arrives
    const { service, path, self } = operation;
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const attributes = { 'http.request.method': method, 'url.template': path, 'server.address': service };
    const token = await sign(service, caller);
    const traceparent = traceparentOf(traceCall(`${method} ${path}`, attributes, response));
    const added = { authorization: `Bearer ${token}`, traceparent };
    const own = self === null ? {} : { [self]: caller.userId };
    const target = fillPath(path, { ...own, ...params }).path + (hasQuery ? url.search : '');
    if (method === 'GET') {
      const read = { path: target, headers: headersOfRead(request, added) };
      return reads[service](read, { request, response });
    }
    replaceHeaders(request, added);
    if (!isStream) delete request.headers.expect; // the body is here
    request.url = target;
    return proxies[service](request, response);
  };

export type PassOn = (endpoint: PassedOn) => Route;

/**
 * Passes requests to the operation of an endpoint, whose service validates them, and its response back. The parameter by which a user may
 * only name themself is the caller, unless the public path has it.
 */
export const createPassOn =
  (upstream: Upstream): PassOn =>
  (endpoint) => {
    // A read has no body to wait for.
    const body = endpoint.method === 'GET' ? 'stream' : endpoint.body;
    return { ...endpoint, body, respond: respondFrom(upstream, endpoint, body === 'stream') };
  };
