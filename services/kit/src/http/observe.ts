import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from '../process/log.ts';
import type { Metrics } from '../process/metrics.ts';
import type { Caller } from './service-token.ts';
import type { Span } from '../process/span.ts';
import { inTrace } from '../process/trace.ts';
import { sentErrorCode } from './respond.ts';

/**
 * What metrics and access log say about a request beside its method, status and duration. `route` is the declared path of the
 * endpoint, so that metrics have few labels; set it as soon as it is known.
 */
export type Observation = {
  route: string;
  level: 'info' | 'debug';
  /** Whose session or service token the request has, for the log alone. */
  actor: Pick<Caller, 'userId' | 'actorId'>;
};

const idsOf = ({ userId, actorId }: Observation['actor']): Record<string, string> => ({
  ...(userId === null ? {} : { userId }),
  ...(actorId === undefined ? {} : { actorId }),
});

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
  const stop = metrics.httpSeconds.startTimer({ method });
  response.once('close', () => {
    const { statusCode: status } = response;
    const { route, level, actor } = observation;
    const seconds = stop({ route, status });
    inTrace(span.trace, () =>
      log[level]({ method, path, route, status, seconds, ...idsOf(actor) }, 'request'),
    );
    if (span.trace.sampled) endSpan({ request, response, span }, route);
  });
  return observation;
};
