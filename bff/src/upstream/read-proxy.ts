import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendError } from '@shortlist/kit/http/respond';
import { createError } from '@shortlist/kit/process/errors';
import { currentTrace, inTrace, newTrace } from '@shortlist/kit/process/trace';
import { type Dispatcher, errors, Pool } from 'undici';
import { PROXY_LIMITS, type ProxyLimits, type ServiceName, SOCKETS_MAX } from './services.ts';

/** A GET or HEAD request of a service, without a body. */
export type Read = { path: string; headers: Record<string, string> };

/** Streams the response of a service to a read. */
export type ReadProxy = (read: Read, exchange: ReadExchange) => void;

type ReadExchange = { request: IncomingMessage; response: ServerResponse };

/** They apply to one hop. */
const CONNECTION_HEADERS = new Set(['connection', 'keep-alive', 'transfer-encoding']);
/** A body of this many bytes or fewer that arrives in one piece is sent with its headers in one write. */
const ONE_PIECE_MAX = 16_384;

const TIMEOUTS = [errors.ConnectTimeoutError, errors.HeadersTimeoutError, errors.BodyTimeoutError];
const isTimeout = (error: unknown): boolean => TIMEOUTS.some((Timeout) => error instanceof Timeout);

/** Returns what responds with an error of the call. Its trace is that of the request: connections are used by many. */
const createFailure = (response: ServerResponse): ((cause?: Error) => void) => {
  const trace = currentTrace() ?? newTrace();
  return (cause) => {
    if (response.destroyed) return;
    const code = isTimeout(cause) ? 'service.timeout' : 'service.unavailable';
    inTrace(trace, () => sendError(response, createError(code, { cause })));
  };
};

const isWhole = ({ length }: Buffer, response: ServerResponse): boolean =>
  length <= ONE_PIECE_MAX && String(length) === response.getHeader('content-length');

/** Passes a response on as it arrives, as fast as the client reads, and ends the call when the client leaves. */
const passTo = (response: ServerResponse): Dispatcher.DispatchHandler => {
  const fail = createFailure(response);
  const abort = (controller: Dispatcher.DispatchController): void =>
    controller.abort(createError('request.aborted'));
  return {
    onRequestStart: (controller) => {
      if (response.closed) return abort(controller);
      response.once('close', () => {
        if (!response.writableFinished) abort(controller);
      });
    },
    onResponseStart: (_controller, statusCode, headers) => {
      // A service returns 401 only for a service token that it considers stale, because a clock is wrong. Passed on to the browser,
      // it would log the user out.
      if (statusCode === 401) return fail();
      for (const [name, value] of Object.entries(headers))
        if (value !== undefined && !CONNECTION_HEADERS.has(name)) response.setHeader(name, value);
      response.writeHead(statusCode);
    },
    onResponseData: (controller, chunk) => {
      if (response.writableEnded) return;
      if (isWhole(chunk, response)) return void response.end(chunk.toString('latin1'), 'latin1');
      if (response.write(chunk)) return;
      controller.pause();
      response.once('drain', () => controller.resume());
    },
    onResponseEnd: () => {
      if (!response.writableEnded) response.end();
    },
    onResponseError: (_controller, error) => fail(error),
  };
};

const createReadProxy = (origin: string, { idleResponseMs, keepAliveMs }: ProxyLimits): ReadProxy => {
  const pool = new Pool(origin, {
    connections: SOCKETS_MAX,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMs,
    headersTimeout: idleResponseMs,
    bodyTimeout: idleResponseMs,
    connectTimeout: idleResponseMs,
  });
  return ({ path, headers }, { request, response }) => {
    const method = request.method === 'HEAD' ? 'HEAD' : 'GET';
    pool.dispatch({ method, path, headers }, passTo(response));
  };
};

/** Creates a proxy of reads for each service, over kept connections. The origin is fixed: no request can choose the host. */
export const createReadProxies = (
  urls: Record<ServiceName, string>,
  limits = PROXY_LIMITS,
): Record<ServiceName, ReadProxy> => ({
  identity: createReadProxy(urls.identity, limits),
  profile: createReadProxy(urls.profile, limits),
  billing: createReadProxy(urls.billing, limits),
  credits: createReadProxy(urls.credits, limits),
});
