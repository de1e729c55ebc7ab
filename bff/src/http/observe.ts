import { V1_PATH } from '@shortlist/contracts/api/v1';
import { observeRequest } from '@shortlist/kit/http/observe';
import { respondWithError } from '@shortlist/kit/http/respond';
import type { Log } from '@shortlist/kit/process/log';
import type { Metrics } from '@shortlist/kit/process/metrics';
import { inTrace, parseTraceparent, sampleClientTrace, startSpan } from '@shortlist/kit/process/trace';
import type { ErrorRequestHandler, Request } from 'express';
import type { RefusalLimit } from '../limits/attempt-limit.ts';
import type { Locals, Step } from './endpoint.ts';
import { oauthFormat, problemFormat } from './problem.ts';

/**
 * Continues the trace of the client, which shows its id with an error, measures the request and writes its line of the access log. bff
 * decides whether the trace is recorded.
 */
export const observe =
  ({ log, metrics }: { log: Log; metrics: Metrics }): Step =>
  (request, response, next) => {
    const parent = sampleClientTrace(parseTraceparent(request.headers.traceparent));
    const span = startSpan(request.method, { kind: 'server', parent });
    response.locals.observation = observeRequest({ metrics, log }, { request, response, span });
    response.setHeader('x-request-id', span.trace.traceId);
    inTrace(span.trace, next);
  };

/** Names the endpoint of a request in the metrics and in the access log. */
export const nameRoute =
  (route: string): Step =>
  (_request, { locals }, next) => {
    locals.observation.route = route;
    next();
  };

/** Features of the browser that no page uses. */
const UNUSED_FEATURES = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'usb',
];

/** The headers of every response; the handlers of pages and files replace some of them. */
const HEADERS = new Map([
  ['cache-control', 'no-store'],
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'no-referrer'],
  // For data; a page has a policy that allows its files.
  ['content-security-policy', "default-src 'none'; frame-ancestors 'none'"],
  ['x-frame-options', 'DENY'],
  ['permissions-policy', UNUSED_FEATURES.map((feature) => `${feature}=()`).join(', ')],
  ['strict-transport-security', 'max-age=31536000; includeSubDomains'],
]);

export const setHeaders: Step = (_request, response, next) => {
  response.setHeaders(HEADERS);
  next();
};

type ErrorStep = ErrorRequestHandler<Record<string, string>, unknown, unknown, Request['query'], Locals>;

const formatOf = (path: string) => {
  if (path.startsWith(V1_PATH)) return problemFormat;
  return path.startsWith('/oauth/') ? oauthFormat : undefined;
};

/** Responds to every error. Those that refuse a client without a session are limited. */
export const respondToError =
  (log: Log, limitRefusals: RefusalLimit): ErrorStep =>
  // Express recognises an error handler by its four parameters.
  async (cause: unknown, request, response, _next) => {
    const { actor } = response.locals.observation;
    const error = actor.userId === null ? await limitRefusals(cause, request.ip ?? '') : cause;
    const format = formatOf(request.path);
    respondWithError(log, { request, response, ...(format && { format }) }, error);
  };
