import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { Server as Listener } from 'node:net';
import type { ErrorReply } from '@shortlist/contracts/errors';
import express, {
  type ErrorRequestHandler,
  type Express,
  type NextFunction,
  type Request,
  type Response,
} from 'express';
import { endUnread } from './end-unread.ts';
import { AppError, createError, isUnavailable } from '../process/errors.ts';
import type { Health } from './health.ts';
import type { Log } from '../process/log.ts';
import type { Metrics } from '../process/metrics.ts';
import { currentTrace, inTrace, traceFrom } from '../process/trace.ts';

export type HttpParts = { log: Log; health: Health; metrics: Metrics };

const BODY_LIMIT = '64kb';

const observe =
  ({ metrics, log }: HttpParts) =>
  (request: Request, response: Response, next: NextFunction): void => {
    const stop = metrics.httpSeconds.startTimer({ method: request.method });
    response.on('finish', () => {
      const route = request.route as { path?: unknown } | undefined;
      const seconds = stop({
        route: typeof route?.path === 'string' ? route.path : 'other',
        status: response.statusCode,
      });
      if (request.method === 'GET') return; // what reads is in the metrics; what changes can be followed by its trace
      const { statusCode: status } = response;
      inTrace(trace, () =>
        log.info({ method: request.method, path: request.path, status, seconds }, 'answered'),
      );
    });
    const trace = traceFrom(request.headers.traceparent);
    response.setHeader('x-request-id', trace.traceId);
    inTrace(trace, next);
  };

type BodyError = { type?: unknown; status?: unknown; code?: unknown };

const FROM_PARSER: Record<string, () => AppError> = {
  'entity.too.large': () => createError('request.too_large'),
  'encoding.unsupported': () => createError('request.unsupported_type'),
  'charset.unsupported': () => createError('request.unsupported_type'),
};

/** Express and its parsers mark what the client did wrong with a type or a status of their own. */
const fromParser = (error: unknown): AppError | null => {
  if (!(error instanceof Error)) return null;
  const { type, status } = error as BodyError;
  const known = FROM_PARSER[String(type)];
  if (known) return known();
  const isTheirs = typeof status === 'number' && status >= 400 && status < 500;
  return isTheirs ? createError('request.malformed', { cause: error }) : null;
};

/** What the client may know of `error`: its own coded form, or one that tells nothing of our insides. */
export const toAppError = (error: unknown): AppError => {
  if (error instanceof AppError) return error;
  if (isUnavailable(error)) return createError('service.unavailable', { cause: error });
  return fromParser(error) ?? createError('service.failed', { cause: error });
};

export const errorReply = (error: AppError): ErrorReply => ({
  error: {
    code: error.code,
    message: error.message,
    ...(error.fields ? { fields: error.fields } : {}),
    requestId: currentTrace()?.traceId ?? randomUUID(),
  },
});

const answerError =
  (log: Log): ErrorRequestHandler =>
  // eslint-disable-next-line max-params -- Express knows an error handler by its four parameters
  (error: unknown, request, response, next) => {
    const answer = toAppError(error);
    if (answer.status >= 500)
      log.error({ err: error, method: request.method, path: request.path }, answer.code);
    if (response.headersSent) return next(error); // too late for words: Express ends the connection
    if (answer.retryAfterSeconds !== undefined) response.setHeader('retry-after', answer.retryAfterSeconds);
    endUnread(request, response);
    response.status(answer.status).json(errorReply(answer));
  };

/** Liveness says the process runs; readiness that what it stands on answers; metrics are Prometheus text. */
const addOperatorEndpoints = (app: Express, { health, metrics }: HttpParts): void => {
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
 * An Express application with what every process needs around its own routes: trace, metrics, health, JSON bodies of at
 * most 64 KB, and errors in the agreed form. `before` runs ahead of body parsing, for doors that want the raw stream.
 */
export const createHttp = (
  parts: HttpParts,
  { before, routes }: { before?: (app: Express) => void; routes: (app: Express) => void },
): Express => {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.use(observe(parts));
  addOperatorEndpoints(app, parts);
  before?.(app);
  app.use(express.json({ limit: BODY_LIMIT, strict: true }));
  routes(app);
  app.use(() => {
    throw createError('request.not_found');
  });
  app.use(answerError(parts.log));
  return app;
};

const sayLast = (response: ServerResponse): void => {
  if (!response.headersSent) response.setHeader('connection', 'close');
};

/** How long a kept connection stays once its last answer is out: a request may be on its way already. */
const LINGER_MS = 200;

export type Serving = { server: Server; port: number; close: () => Promise<void> };

/**
 * Serves until closed. Closing lets requests in flight end and takes no new connections; one that is kept is told that its
 * answer is the last one and ends soon, or whoever keeps one open would keep the process alive for as long.
 */
export const serve = async (
  listener: RequestListener,
  { host, port }: { host: string; port: number },
): Promise<Serving> => {
  const inFlight = new Set<ServerResponse>();
  let closing = false;
  const server = createServer(
    { keepAliveTimeout: 65_000, headersTimeout: 20_000, requestTimeout: 60_000, maxHeaderSize: 16_384 },
    (request, response) => {
      inFlight.add(response);
      response.once('close', () => {
        inFlight.delete(response);
        if (closing) endIdleSoon();
      });
      if (closing) sayLast(response);
      listener(request, response);
    },
  );
  const endIdleSoon = (): void => void setTimeout(() => server.closeIdleConnections(), LINGER_MS);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(port, host, resolve);
  await promise;
  const address = server.address();
  return {
    server,
    port: typeof address === 'object' && address !== null ? address.port : port,
    close: () =>
      new Promise((closed) => {
        closing = true;
        // Of a plain listener: HTTP's own would cut idle connections at once, and with them what is on its way.
        Listener.prototype.close.call(server, () => closed());
        inFlight.forEach(sayLast);
        endIdleSoon();
      }),
  };
};
