import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendError } from '@shortlist/kit/http/respond';
import { createError } from '@shortlist/kit/process/errors';
import { type Dispatcher, errors, Pool } from 'undici';
import type { ServiceName } from './services.ts';

/** Streams a request to a service and its response back. */
export type Proxy = (request: IncomingMessage, response: ServerResponse) => void;

/** How long a service may send nothing before the request fails with `service.timeout`. */
const IDLE_RESPONSE_MS = 10_000;
/** Shorter than the keep-alive time of the services, so that none closes a connection as a request is written to it. */
const KEEP_ALIVE_MS = 30_000;
const OPTIONS = {
  connections: 256,
  headersTimeout: IDLE_RESPONSE_MS,
  bodyTimeout: IDLE_RESPONSE_MS,
  keepAliveTimeout: KEEP_ALIVE_MS,
  keepAliveMaxTimeout: KEEP_ALIVE_MS,
};

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;

/** Headers that apply to one connection: Node and undici write those of theirs. bff itself responds to `expect`. */
const OF_THE_CONNECTION = ['connection', 'keep-alive', 'transfer-encoding', 'expect'];

const withoutConnection = <Headers extends object>(headers: Headers): Headers =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => !OF_THE_CONNECTION.includes(name)),
  ) as Headers;

const errorFor = (cause: Error) => {
  const isTimeout = cause instanceof errors.HeadersTimeoutError || cause instanceof errors.BodyTimeoutError;
  return createError(isTimeout ? 'service.timeout' : 'service.unavailable', { cause });
};

/** Writes the response of a service, as fast as the client reads. */
const createHandler = (response: ServerResponse): Dispatcher.DispatchHandler => {
  let isRefused = false;
  return {
    onRequestStart: (controller) => {
      const abort = (): void => {
        if (!response.writableFinished) controller.abort(new Error('the client has left'));
      };
      if (response.destroyed) abort();
      else response.once('close', abort);
    },
    onResponseStart: (controller, status, headers) => {
      if (status < 200) return;
      // A service returns 401 only for a service token that it considers stale, because a clock is wrong. Passed on to the
      // browser, it would log the user out.
      isRefused = status === 401;
      if (isRefused) return sendError(response, createError('service.unavailable'));
      response.on('drain', () => controller.resume());
      response.writeHead(status, withoutConnection(headers));
    },
    onResponseData: (controller, chunk) => {
      if (!isRefused && !response.write(chunk)) controller.pause();
    },
    onResponseEnd: () => {
      if (!isRefused) response.end();
    },
    onResponseError: (_controller, error) => {
      if (!response.destroyed) sendError(response, errorFor(error));
    },
  };
};

/** The target is fixed: no request can choose the host. */
const createProxy = (address: string): Proxy => {
  const { origin, pathname } = new URL(address);
  const base = pathname.replace(/\/$/, '');
  const pool = new Pool(origin, OPTIONS);
  return (request, response) => {
    const { method = 'GET', url = '' } = request;
    const options = {
      path: base + url,
      method,
      headers: withoutConnection(request.headers),
      body: hasBody(request) ? request : null,
    };
    pool.dispatch(options, createHandler(response));
  };
};

/** Creates a proxy for each service, over kept connections. */
export const createProxies = (urls: Record<ServiceName, string>): Record<ServiceName, Proxy> => ({
  identity: createProxy(urls.identity),
  profile: createProxy(urls.profile),
  billing: createProxy(urls.billing),
  credits: createProxy(urls.credits),
});
