// Every request takes the same steps: trace, metrics and access log, the name of the host, cross-site check, session and role,
// and then the endpoint's handler or proxy. Requests without an endpoint are for pages and files, which Express serves.
// Endpoints are handled ahead of Express because its dispatch costs more than the rest of the chain (decision 15).
import type { IncomingMessage, RequestListener } from 'node:http';
import { observeRequest, type Observation } from '@shortlist/kit/http/observe';
import { respondWithError } from '@shortlist/kit/http/respond';
import { assertIds, assertRole } from '@shortlist/kit/http/router';
import type { Clock } from '@shortlist/kit/process/clock';
import type { Log } from '@shortlist/kit/process/log';
import type { Metrics } from '@shortlist/kit/process/metrics';
import {
  inTrace,
  parseTraceparent,
  sampleClientTrace,
  type Span,
  startSpan,
} from '@shortlist/kit/process/trace';
import type { RefusalLimit } from '../limits/refusal-limit.ts';
import type { Binding } from '../session/binding.ts';
import { tokenOf } from '../session/token.ts';
import type { Sessions } from '../session/sessions.ts';
import type { Session } from '../session/session.ts';
import type { Xsrf } from '../session/xsrf.ts';
import { assertBodySize } from './body-size.ts';
import { assertGuards, callerOf } from './guards.ts';
import type { EndpointTable, Match } from './endpoint-table.ts';
import type { Exchange, PublicEndpoint } from './public-endpoint.ts';
import { parseTarget } from './target.ts';

type Parts = {
  log: Log;
  metrics: Metrics;
  sessions: Sessions;
  xsrf: Xsrf;
  binding: Binding;
  table: EndpointTable;
  clock: Clock;
  /** The client's network address. */
  addressOf: (request: IncomingMessage) => string;
  /** Throws for a request to a name that is not ours. */
  assertHost: (request: IncomingMessage) => void;
  limitRefusals: RefusalLimit;
  /** Serves pages and files. */
  express: RequestListener;
};

type NewExchange = Pick<Exchange, 'request' | 'response' | 'url'>;

/** Features of the browser that no page uses. */
const UNUSED_FEATURES = [
  ...['accelerometer', 'camera', 'display-capture', 'geolocation', 'gyroscope', 'magnetometer'],
  ...['microphone', 'midi', 'payment', 'usb'],
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

const findSession = async (
  sessions: Sessions,
  roles: PublicEndpoint['roles'],
  { token, bindings }: Pick<Exchange, 'token' | 'bindings'>,
): Promise<Session | null> => (roles === 'public' || token === null ? null : sessions.check(token, bindings));

/** Continues the trace of the client, which shows its id with an error. bff decides whether it is recorded. */
const startRequest = ({ method = 'GET', headers }: IncomingMessage): Span =>
  startSpan(method, { kind: 'server', parent: sampleClientTrace(parseTraceparent(headers.traceparent)) });

/** Finds the endpoint of a request and makes the checks that need no session. Null stands for a page or a file. */
const createAdmit =
  ({ xsrf, table }: Parts) =>
  (request: IncomingMessage, url: URL, observation: Observation): Match | null => {
    const match = table.find(request.method, url.pathname);
    observation.route = match?.endpoint.path ?? 'pages';
    if (match?.endpoint.crossSiteCheck !== false) xsrf.assert(request);
    if (match !== null) assertBodySize(request, match.endpoint.bodyBytes);
    return match;
  };

const createRespond =
  ({ sessions, binding, clock, addressOf }: Parts) =>
  async ({ endpoint, params }: Match, exchange: NewExchange, observation: Observation): Promise<void> => {
    const { request } = exchange;
    const token = tokenOf(request);
    const bindings = binding.of(request);
    const session = await findSession(sessions, endpoint.roles, { token, bindings });
    const address = addressOf(request);
    const caller = callerOf(session, address);
    observation.actor = caller;
    if (endpoint.roles !== 'public') assertRole(endpoint.roles, caller);
    assertGuards(endpoint, session, clock);
    assertIds(params);
    await endpoint.respond({ ...exchange, params, address, caller, token, bindings, session });
  };

const createFail =
  ({ log, limitRefusals, addressOf }: Parts) =>
  async (
    exchange: Pick<Exchange, 'request' | 'response'>,
    { actor }: Observation,
    cause: unknown,
  ): Promise<void> => {
    const error = actor.userId === null ? await limitRefusals(cause, addressOf(exchange.request)) : cause;
    respondWithError(log, exchange, error);
  };

export const createPipeline = (parts: Parts): RequestListener => {
  const { log, metrics, assertHost, express } = parts;
  const [admit, respond, respondWithFailure] = [createAdmit(parts), createRespond(parts), createFail(parts)];

  return (request, response) => {
    const span = startRequest(request);
    const observation = observeRequest({ metrics, log }, { request, response, span });
    const fail = (cause: unknown): Promise<void> =>
      respondWithFailure({ request, response }, observation, cause);
    inTrace(span.trace, () => {
      response.setHeader('x-request-id', span.trace.traceId).setHeaders(HEADERS);
      try {
        assertHost(request);
        const url = parseTarget(request.url);
        const match = admit(request, url, observation);
        if (match === null) express(request, response);
        else respond(match, { request, response, url }, observation).catch(fail);
      } catch (error) {
        void fail(error);
      }
    });
  };
};
