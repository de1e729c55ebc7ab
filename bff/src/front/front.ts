import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { publicEndpoints, publicPaths } from '@shortlist/contracts/api/public';
import { createError } from '@shortlist/kit/process/errors';
import { toAppError } from '@shortlist/kit/http/http';
import type { Log } from '@shortlist/kit/process/log';
import { inTrace, traceFrom } from '@shortlist/kit/process/trace';
import type { createForward } from '../pass/forward.ts';
import { findPassRule } from '../pass/table.ts';
import { isExternalOperatorRequest, pathsOf } from './paths.ts';
import { sendError } from './reply.ts';
import { readTarget } from './target.ts';

export type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

type Parts = {
  log: Log;
  forward: ReturnType<typeof createForward>;
  checkUser: Handler;
  checkAdmin: Handler;
  openLive: Handler;
  express: RequestListener;
};

/**
 * What is asked most is answered ahead of Express, whose dispatch costs more than Redis and the wire together: session
 * checks, the live stream, and whatever only passes on. The rest falls through.
 */
export const createFront = ({
  log,
  forward,
  express,
  checkUser,
  checkAdmin,
  openLive,
}: Parts): RequestListener => {
  const direct = new Map<string, Handler>([
    ...pathsOf(publicEndpoints.checkUser.path).map((path): [string, Handler] => [path, checkUser]),
    ...pathsOf(publicEndpoints.checkAdmin.path).map((path): [string, Handler] => [path, checkAdmin]),
    [publicPaths.live, openLive],
  ]);

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = readTarget(request.url);
    if (isExternalOperatorRequest(request, url.pathname)) throw createError('request.not_found');
    const handler = request.method === 'GET' ? direct.get(url.pathname) : undefined;
    if (handler) return handler(request, response);
    const found = findPassRule(request.method, url.pathname);
    if (found) return forward(found.rule, { request, response, url, params: found.params });
    express(request, response);
  };

  return (request, response) => {
    const trace = traceFrom(undefined); // a stranger does not choose our trace ids
    delete request.headers.traceparent;
    inTrace(trace, () => {
      response.setHeader('x-request-id', trace.traceId);
      request.headers.traceparent = `00-${trace.traceId}-${trace.spanId}-01`;
      answer(request, response).catch((error: unknown) => {
        const told = toAppError(error);
        // Without what was asked for: an address may stand in it.
        const [path] = request.url?.split('?', 1) ?? [];
        if (told.status >= 500) log.error({ err: error, method: request.method, path }, told.code);
        sendError(response, told);
      });
    });
  };
};
