import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { Writable } from 'node:stream';
import { closedSignal } from '@shortlist/kit/http/closed-signal';
import { sendError } from '@shortlist/kit/http/respond';
import { createError } from '@shortlist/kit/process/errors';
import { errors, Pool } from 'undici';
import { IDLE_RESPONSE_MS, KEEP_ALIVE_MS, SOCKETS_MAX } from './proxy-limits.ts';
import type { ServiceName } from './services.ts';

/** A GET or HEAD request of a service, without a body. */
export type Read = { path: string; headers: Record<string, string> };

/** Streams the response of a service to a read. */
export type ReadProxy = (read: Read, exchange: ReadExchange) => Promise<void>;

type ReadExchange = { request: IncomingMessage; response: ServerResponse };

/** They apply to one hop. */
const CONNECTION_HEADERS = ['connection', 'keep-alive', 'transfer-encoding'];

const TIMEOUTS = [errors.ConnectTimeoutError, errors.HeadersTimeoutError, errors.BodyTimeoutError];
const isTimeout = (error: unknown): boolean => TIMEOUTS.some((Timeout) => error instanceof Timeout);

/**
 * A service returns 401 only for a service token that it considers stale, because a clock is wrong. Passed on to the browser, it
 * would log the user out.
 */
const refuse = (response: ServerResponse): Writable => {
  sendError(response, createError('service.unavailable'));
  return new Writable({ write: (_chunk, _encoding, next) => next() });
};

const begin = (response: ServerResponse, statusCode: number, headers: IncomingHttpHeaders): Writable => {
  if (statusCode === 401) return refuse(response);
  for (const name of CONNECTION_HEADERS) delete headers[name];
  return response.writeHead(statusCode, headers);
};

const createReadProxy = (origin: string): ReadProxy => {
  const pool = new Pool(origin, {
    connections: SOCKETS_MAX,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    headersTimeout: IDLE_RESPONSE_MS,
    bodyTimeout: IDLE_RESPONSE_MS,
    connectTimeout: IDLE_RESPONSE_MS,
  });
  return async ({ path, headers }, { request, response }) => {
    const method = request.method === 'HEAD' ? 'HEAD' : 'GET';
    const options = { method, path, headers, signal: closedSignal(response) } as const;
    try {
      await pool.stream(options, ({ statusCode, headers: received }) =>
        begin(response, statusCode, received),
      );
    } catch (cause) {
      if (response.destroyed) return;
      sendError(
        response,
        createError(isTimeout(cause) ? 'service.timeout' : 'service.unavailable', { cause }),
      );
    }
  };
};

/** Creates a proxy of reads for each service, over kept connections. The origin is fixed: no request can choose the host. */
export const createReadProxies = (urls: Record<ServiceName, string>): Record<ServiceName, ReadProxy> => ({
  identity: createReadProxy(urls.identity),
  profile: createReadProxy(urls.profile),
  billing: createReadProxy(urls.billing),
  credits: createReadProxy(urls.credits),
});
