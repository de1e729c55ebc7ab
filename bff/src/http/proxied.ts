import type { IncomingMessage, ServerResponse } from 'node:http';
import { fillPath } from '@shortlist/contracts/api/endpoint';
import type { PublicEndpoint } from '@shortlist/contracts/api/public-endpoint';
import type { ServiceEndpoint } from '@shortlist/contracts/api/service-endpoint';
import type { TokenSigner } from '@shortlist/kit/http/service-token';
import {
  type Attributes,
  currentTrace,
  startSpan,
  type Trace,
  traceparentOf,
} from '@shortlist/kit/process/trace';
import type { Proxy, ReadProxy } from '../upstream/proxy.ts';
import type { ServiceName } from '../upstream/services.ts';
import type { Exchange, Route } from './endpoint.ts';
import { assertAnnounced } from './request-checks.ts';

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

type Answering = Pick<ServiceEndpoint<never, unknown>, 'path'> & {
  self?: string | null;
  /** False for an endpoint without parameters in its query. */
  hasQuery?: boolean;
};

type Target = { to: ServiceName } & Required<Answering>;

/** Responds with what a service responds, on behalf of the caller. */
const respondFrom =
  ({ sign, proxies, reads }: Upstream, { to, path, self, hasQuery }: Target) =>
  async ({ request, response, url, params, caller }: Exchange): Promise<void> => {
    assertAnnounced(request); // its body is passed on as it arrives
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const attributes = { 'http.request.method': method, 'url.template': path, 'server.address': to };
    const token = await sign(to, caller);
    const traceparent = traceparentOf(traceCall(`${method} ${path}`, attributes, response));
    const added = { authorization: `Bearer ${token}`, traceparent };
    const own = self === null ? {} : { [self]: caller.userId };
    const target = fillPath(path, { ...own, ...params }).path + (hasQuery ? url.search : '');
    if (method === 'GET') {
      const read = { path: target, headers: headersOfRead(request, added) };
      return reads[to](read, { request, response });
    }
    replaceHeaders(request, added);
    request.url = target;
    return proxies[to](request, response);
  };

/**
 * Passes requests to an endpoint of a service, which validates them, and its response back. The parameter by which a user may only name
 * themself is the caller, unless the public path has it.
 */
export const createForward =
  (upstream: Upstream) =>
  (
    endpoint: PublicEndpoint<never, unknown>,
    to: ServiceName,
    { path, self = null, hasQuery = true }: Answering,
  ): Route => ({
    ...endpoint,
    body: 'stream',
    respond: respondFrom(upstream, { to, path, self, hasQuery }),
  });
