import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { createError } from '../process/errors.ts';
import type { Log } from '../process/log.ts';
import type { Metrics } from '../process/metrics.ts';
import { inTrace, traceFrom } from '../process/trace.ts';
import type { Health } from './health.ts';
import { observeRequest } from './observe.ts';
import { respondWithError } from './respond.ts';

export type ExpressParts = { log: Log; health: Health; metrics: Metrics };

/** The largest JSON body that an endpoint accepts. */
export const JSON_LIMIT = '64kb';

/** Continues the caller's trace, measures the request, and returns the trace id in `x-request-id`. */
export const observe =
  ({ metrics, log }: ExpressParts): RequestHandler =>
  (request, response, next) => {
    const trace = traceFrom(request.headers.traceparent);
    const observation = observeRequest({ metrics, log }, { request, response, trace });
    if (request.method === 'GET') observation.level = 'debug'; // bff has logged the read; changes are logged on both sides
    response.once('finish', () => {
      const route = request.route as { path?: unknown } | undefined;
      if (typeof route?.path === 'string') observation.route = route.path;
    });
    response.setHeader('x-request-id', trace.traceId);
    inTrace(trace, next);
  };

const handleError =
  (log: Log): ErrorRequestHandler =>
  // eslint-disable-next-line max-params -- Express recognises an error handler by its four parameters
  (error: unknown, request, response, _next) =>
    respondWithError(log, { request, response }, error);

/** Liveness: the process runs. Readiness: its dependencies respond. Metrics: Prometheus text format. */
const addOperatorEndpoints = (app: Express, { health, metrics }: ExpressParts): void => {
  app.get('/health/live', (_request, response) => void response.json({ status: 'live' }));
  app.get('/health/ready', async (_request, response) => {
    const { ready, checks } = await health.ready();
    response.status(ready ? 200 : 503).json({ status: ready ? 'ready' : 'not ready', checks });
  });
  app.get(
    '/metrics',
    async (_request, response) => void response.type(metrics.contentType).send(await metrics.text()),
  );
};

/**
 * An Express application with the operator endpoints, and errors in the agreed form. `middleware` runs first; `routes` adds
 * what the application serves.
 */
export const createExpressApp = (
  parts: ExpressParts,
  { middleware = [], routes }: { middleware?: RequestHandler[]; routes: (app: Express) => void },
): Express => {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  for (const handler of middleware) app.use(handler);
  addOperatorEndpoints(app, parts);
  routes(app);
  app.use(() => {
    throw createError('request.not_found');
  });
  app.use(handleError(parts.log));
  return app;
};
