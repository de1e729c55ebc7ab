// The addresses of the authorization server, which is in identity. A tool that calls them has no session; the one cookie that goes along
// ties a request to the browser in which it began.
import { text } from 'node:stream/consumers';
import { CLIENT_ORIGIN_HEADER } from '@shortlist/contracts/api/tools';
import { forStrangers } from '@shortlist/contracts/api/public-endpoint';
import { minutes, seconds } from '@shortlist/contracts/durations';
import type { Redis } from '@shortlist/kit/data/redis';
import { failedRequest, type ServicePool } from '@shortlist/kit/http/service-pool';
import type { TokenSigner } from '@shortlist/kit/http/service-token';
import { AppError, createError } from '@shortlist/kit/process/errors';
import { currentTrace, traceparentOf } from '@shortlist/kit/process/trace';
import type { Exchange, Route } from '../http/endpoint.ts';
import { assertAnnounced } from '../http/request-checks.ts';
import { createAttemptLimit, networkOf } from '../limits/attempt-limit.ts';
import { type FindPlace, originOf } from '../http/sign-in-origin.ts';
import { cookiesOf } from '../session/credentials.ts';
import { ANONYMOUS } from '../services.ts';

const RESUME_COOKIE = 'oauth_resume';

const addressOf = (method: 'GET' | 'POST', path: string) =>
  forStrangers<Record<never, never>, string>({
    method,
    path,
    reply: null, // the form of a reply is that of RFC 6749
    crossSiteCheck: false,
    body: 'stream',
  });

const METADATA = addressOf('GET', '/.well-known/oauth-authorization-server');
const DEVICE = addressOf('POST', '/oauth/device');

const ADDRESSES = [
  METADATA,
  addressOf('GET', '/oauth/authorize'),
  addressOf('GET', '/oauth/authorize/:uid'),
  addressOf('POST', '/oauth/token'),
  addressOf('POST', '/oauth/revoke'),
  DEVICE,
] as const;

/** Of one network. A tool that waits for its user asks every five seconds; many tools may share a network. */
const REQUESTS = { name: 'oauth', attempts: 600, windowMs: minutes(1), withoutRedis: 'allow' } as const;
const DEVICES = { name: 'oauth-device', attempts: 30, windowMs: minutes(1), withoutRedis: 'refuse' } as const;

const TIMEOUT_MS = seconds(5);
const RETURNED_HEADERS = ['content-type', 'cache-control', 'location', 'set-cookie', 'www-authenticate'];

type Parts = {
  redis: Redis;
  pool: ServicePool;
  sign: TokenSigner;
  findPlace: FindPlace;
};

const cookieHeader = ({ request }: Exchange): Record<string, string> => {
  const value = cookiesOf(request).get(RESUME_COOKIE);
  return value === undefined ? {} : { cookie: `${RESUME_COOKIE}=${value}` };
};

const headersFor = async (parts: Parts, exchange: Exchange): Promise<Record<string, string>> => {
  const token = await parts.sign('identity', { ...ANONYMOUS, address: exchange.address });
  const trace = currentTrace();
  return {
    ...cookieHeader(exchange),
    authorization: `Bearer ${token}`,
    accept: 'application/json',
    [CLIENT_ORIGIN_HEADER]: encodeURIComponent(JSON.stringify(originOf(parts, exchange))),
    ...(trace === undefined ? {} : { traceparent: traceparentOf(trace) }),
  };
};

const send = async (parts: Parts, exchange: Exchange): ReturnType<ServicePool['request']> => {
  const { request, url } = exchange;
  const headers = await headersFor(parts, exchange);
  const path = `${url.pathname.replace(/^\/api(?=\/)/, '')}${url.search}`;
  const limits = { signal: AbortSignal.timeout(TIMEOUT_MS) };
  if (request.method !== 'POST') return parts.pool.request({ ...limits, method: 'GET', path, headers });
  assertAnnounced(request); // a body of unknown size is never collected
  const type = request.headers['content-type'] ?? '';
  const posted = { ...headers, 'content-type': type };
  return parts.pool.request({ ...limits, method: 'POST', path, headers: posted, body: await text(request) });
};

/** Whether a 401 is about the tool, which is unknown or disabled. Any other refuses a token of ours, by a clock that is wrong. */
const isOfTool = (body: string): boolean => body.startsWith('{"error":"invalid_client"');

const respondFrom =
  (parts: Parts) =>
  async (exchange: Exchange): Promise<void> => {
    const { response } = exchange;
    const incoming = await send(parts, exchange).catch((cause: unknown) => {
      throw cause instanceof AppError ? cause : failedRequest(cause);
    });
    const body = await incoming.body.text();
    if (incoming.statusCode === 401 && !isOfTool(body)) throw createError('service.unavailable');
    for (const name of RETURNED_HEADERS) {
      const value = incoming.headers[name];
      if (value !== undefined) response.setHeader(name, value);
    }
    response.status(incoming.statusCode).end(body);
  };

/** Pages and extensions of other origins read all but the page that asks the user; no cookie of theirs is taken. */
const isForScripts = (path: string): boolean => !path.startsWith('/oauth/authorize');

export const oauthEndpoints = (parts: Parts): Route[] => {
  const requests = createAttemptLimit(parts.redis, REQUESTS);
  const devices = createAttemptLimit(parts.redis, DEVICES);
  const respond = respondFrom(parts);
  return ADDRESSES.map((address) => ({
    ...address,
    respond: async (exchange) => {
      const network = networkOf(exchange.address);
      if (isForScripts(address.path)) exchange.response.set('access-control-allow-origin', '*');
      if (address !== METADATA) await requests.consume(network);
      if (address === DEVICE) await devices.consume(network);
      await respond(exchange);
    },
  }));
};
