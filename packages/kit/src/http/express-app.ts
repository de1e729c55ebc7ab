import type { IncomingMessage } from 'node:http';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { createError } from '../process/errors.ts';
import type { Log } from '../process/log.ts';
import type { Metrics } from '../process/metrics.ts';
import { inTrace, parseTraceparent, startSpan } from '../process/trace.ts';
import type { Caller } from './service-token.ts';
import { isOtherThanUtf8, mediaTypeOf } from './content-type.ts';
import { observeRequest } from './observe.ts';
import { respondWithError } from './respond.ts';

/**
 * Throws `request.malformed` for a request with two Host headers (RFC 9112, section 3.2). Node keeps the first one in `headers` and discards
 * the others; a proxy may have used another.
 */
export const assertSingleHost = ({ headersDistinct }: IncomingMessage): void => {
  if ((headersDistinct['host']?.length ?? 0) > 1) throw createError('request.malformed');
};

/** The largest JSON body that a service accepts. */
const JSON_LIMIT = '64kb';

const JSON_TYPE = 'application/json';

/**
 * Reads JSON bodies; reports `request.unsupported_charset` for one that is not UTF-8. Refuses compressed bodies: no client of ours sends any,
 * and they cost more to unpack than to send.
 */
export const readJson = (limit: string | number = JSON_LIMIT): RequestHandler => {
  const read = express.json({ limit, strict: true, inflate: false });
  return (request, response, next) => {
    if (mediaTypeOf(request) === JSON_TYPE) {
      if (isOtherThanUtf8(request)) return next(createError('request.unsupported_charset'));
      // Express's parser knows only one label of UTF-8, and decodes other encodings.
      request.headers['content-type'] = JSON_TYPE;
    }
    return read(request, response, next);
  };
};

/** Continues the caller's trace, measures the request, and returns the trace id in `x-request-id`. */
export const observe =
  ({ metrics, log }: { metrics: Metrics; log: Log }): RequestHandler =>
  (request, response, next) => {
    const parent = parseTraceparent(request.headers.traceparent);
    const span = startSpan(request.method, { kind: 'server', parent });
    const observation = observeRequest({ metrics, log }, { request, response, span });
    if (request.method === 'GET') observation.level = 'debug'; // bff has logged the read; changes are logged on both sides
    // Before the measurement, which also takes place on `close`, even if the client leaves before the response.
    response.prependOnceListener('close', () => {
      const route = request.route as { path?: unknown } | undefined;
      if (typeof route?.path === 'string') observation.route = route.path;
      const { caller } = response.locals as { caller?: Caller };
      if (caller !== undefined) observation.actor = caller;
    });
    response.setHeader('x-request-id', span.trace.traceId);
    inTrace(span.trace, next);
  };

const handleError =
  (log: Log): ErrorRequestHandler =>
  // Express recognises an error handler by its four parameters.
  (error: unknown, request, response, _next) =>
    respondWithError(log, { request, response }, error);

/**
 * An Express application with the routes of `addRoutes`, `request.not_found` for everything else, and errors in the agreed form. Refuses
 * requests with two Host headers.
 */
export const createExpressApp = (log: Log, addRoutes: (app: Express) => void): Express => {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.use((request, _response, next) => {
    assertSingleHost(request);
    next();
  });
  addRoutes(app);
  app.use(() => {
    throw createError('request.not_found');
  });
  app.use(handleError(log));
  return app;
};
