import type { IncomingMessage, ServerResponse } from 'node:http';
import { fillPath, type Method } from '@shortlist/contracts/api/endpoint';
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
import { type Access, FORM_BYTES, type Guards, type PublicEndpoint } from './endpoint.ts';
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

type ProxyRule = Pick<PublicEndpoint, 'crossSiteCheck'> &
  Access &
  Guards & {
    to: ServiceName;
    /** The service's path. `:userId` is the caller's id, `:name` a parameter of the public path. */
    path: string;
    /** False for an endpoint without parameters in its query. */
    hasQuery?: boolean;
    bodyBytes?: number;
  };

type Upstream = {
  sign: TokenSigner;
  proxies: Record<ServiceName, Proxy>;
  reads: Record<ServiceName, ReadProxy>;
};

/** Declares endpoints that stream a request to a service, on behalf of the caller, and its response back. */
export const createProxied =
  ({ sign, proxies, reads }: Upstream) =>
  (
    { method, path: publicPath }: { method: Method; path: string },
    { to, path, hasQuery = true, bodyBytes = FORM_BYTES, ...guard }: ProxyRule,
  ): PublicEndpoint => {
    const attributes = { 'http.request.method': method, 'url.template': path, 'server.address': to };
    return {
      method,
      path: publicPath,
      bodyBytes,
      ...guard,
      respond: async ({ request, response, url, params, caller }) => {
        assertAnnounced(request); // its body is passed on as it arrives
        const token = await sign(to, caller);
        const traceparent = traceparentOf(traceCall(`${method} ${path}`, attributes, response));
        const added = { authorization: `Bearer ${token}`, traceparent };
        const target = fillPath(path, { ...params, userId: caller.userId ?? '' }).path;
        const targetUrl = hasQuery ? target + url.search : target;
        if (method === 'GET') {
          const read = { path: targetUrl, headers: headersOfRead(request, added) };
          return reads[to](read, { request, response });
        }
        replaceHeaders(request, added);
        request.url = targetUrl;
        return proxies[to](request, response);
      },
    };
  };
