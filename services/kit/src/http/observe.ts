import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from '../process/log.ts';
import type { Metrics } from '../process/metrics.ts';
import { inTrace, type Trace } from '../process/trace.ts';

/**
 * What metrics and access log say about a request beside its method, status and duration. `route` is the declared path of the
 * endpoint, so that metrics have few labels; set it as soon as it is known. `userId`: whose session or service token the request has, for the log alone.
 */
export type Observation = {
  route: string;
  level: 'info' | 'debug';
  userId: string | null;
  /** Who acts in the place of the user, if another does. */
  actorId?: string;
};

/** Measures a request until its response is sent or its connection closes, and writes one line to the access log. */
export const observeRequest = (
  { metrics, log }: { metrics: Metrics; log: Log },
  { request, response, trace }: { request: IncomingMessage; response: ServerResponse; trace: Trace },
): Observation => {
  const observation: Observation = { route: 'other', level: 'info', userId: null };
  const method = request.method ?? 'GET';
  const [path] = request.url?.split('?', 1) ?? [];
  const stop = metrics.httpSeconds.startTimer({ method });
  response.once('close', () => {
    const { statusCode: status } = response;
    const { route, level, userId, actorId } = observation;
    const who = { ...(userId === null ? {} : { userId }), ...(actorId === undefined ? {} : { actorId }) };
    const seconds = stop({ route, status });
    inTrace(trace, () => log[level]({ method, path, route, status, seconds, ...who }, 'request'));
  });
  return observation;
};
