import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from '../process/log.ts';
import type { Metrics } from '../process/metrics.ts';
import type { Caller } from './service-token.ts';
import { inTrace, type Span } from '../process/trace.ts';
import { sentErrorCode } from './respond.ts';

/**
 * The data of a request for metrics and access log, besides method, status and duration. `route` is the endpoint's declared path, so that
 * metrics have few labels; set it as soon as it is known.
 */
export type Observation = {
  route: string;
  level: 'info' | 'debug';
  /** The owner of the request's session or service token, only for the log. */
  actor: Pick<Caller, 'userId' | 'actorId'>;
};

const idsOf = ({ userId, actorId }: Observation['actor']): Record<string, string> => ({
  ...(userId === null ? {} : { userId }),
  ...(actorId === undefined ? {} : { actorId }),
});

/** The methods with their own label: a client could send a dozen others. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE']);

/** The status of a request whose client left before the response, as proxies count it. */
const CLIENT_LEFT = 499;

const statusOf = ({ headersSent, statusCode }: ServerResponse): number =>
  headersSent ? statusCode : CLIENT_LEFT;

const MEASURE = Symbol('measure');
type Measured = ServerResponse & { [MEASURE]?: () => number };

/** Ends the measurement of a response that stays open as a stream, whose duration says nothing about the endpoint. */
export const endMeasurement = (response: ServerResponse): void => void (response as Measured)[MEASURE]?.();

type Request = { request: IncomingMessage; response: ServerResponse; span: Span };

const endSpan = ({ request, response, span }: Request, route: string): void => {
  const { method = 'GET' } = request;
  const { statusCode: status } = response;
  span.rename(`${method} ${route}`);
  span.set({
    'http.request.method': method,
    'http.route': route,
    'http.response.status_code': status,
  });
  if (status >= 500) span.fail(sentErrorCode(response) ?? String(status));
  span.end();
};

/** Measures a request until its response is sent or its connection closes, ends its span, and writes one line to the access log. */
export const observeRequest = (
  { metrics, log }: { metrics: Metrics; log: Log },
  { request, response, span }: Request,
): Observation => {
  const observation: Observation = { route: 'other', level: 'info', actor: { userId: null } };
  const method = request.method ?? 'GET';
  const [path] = request.url?.split('?', 1) ?? [];
  const startedAt = performance.now();
  let isMeasured = false;
  const measure = (): number => {
    const seconds = (performance.now() - startedAt) / 1_000;
    const labels = { method: METHODS.has(method) ? method : 'other', route: observation.route };
    if (!isMeasured) metrics.httpSeconds.observe({ ...labels, status: statusOf(response) }, seconds);
    isMeasured = true;
    return seconds;
  };
  (response as Measured)[MEASURE] = measure;
  response.once('close', () => {
    const { route, level, actor } = observation;
    const seconds = measure();
    const status = statusOf(response);
    inTrace(span.trace, () =>
      log[level]({ method, path, route, status, seconds, ...idsOf(actor) }, 'request'),
    );
    if (span.trace.sampled) endSpan({ request, response, span }, route);
  });
  return observation;
};
