// The addresses of the authorization server, which is in identity. An app that calls them has no session; the one cookie that goes along
// ties a request to the browser in which it began.
import { hash } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { CLIENT_ORIGIN_HEADER } from '@shortlist/contracts/api/connected-apps';
import { forStrangers } from '@shortlist/contracts/api/operation';
import { minutes, seconds } from '@shortlist/contracts/durations';
import type { Redis } from '@shortlist/kit/data/redis';
import { assertUtf8, mediaTypeOf } from '@shortlist/kit/http/content-type';
import { failedRequest, type ServicePool } from '@shortlist/kit/http/service-pool';
import type { TokenSigner } from '@shortlist/kit/http/service-token';
import { AppError, createError } from '@shortlist/kit/process/errors';
import { currentTrace, traceparentOf } from '@shortlist/kit/process/trace';
import type { Exchange, Route } from '../http/endpoint.ts';
import { assertAnnounced } from '../http/request-checks.ts';
import { type AttemptLimit, createAttemptLimit, networkOf } from '../limits/attempt-limit.ts';
import { type FindPlace, originOf } from '../http/sign-in-origin.ts';
import { ANONYMOUS } from '../services.ts';
import { createShareRefresh, type RefreshTokens, type Reply, type ShareRefresh } from './refresh-tokens.ts';
import type { RequestCookie } from './request-cookie.ts';

const addressOf = (method: 'GET' | 'POST', path: `/${string}`) =>
  forStrangers(`${method} ${path}`, {
    reply: 'text', // the form of a reply is that of RFC 6749
    crossSiteCheck: false,
    body: 'stream',
  });

const METADATA = addressOf('GET', '/.well-known/oauth-authorization-server');
const DEVICE = addressOf('POST', '/oauth/device');

const AUTHORIZE = addressOf('GET', '/oauth/authorize');
const RESUME = addressOf('GET', '/oauth/authorize/:uid');
const TOKEN = addressOf('POST', '/oauth/token');
const REVOKE = addressOf('POST', '/oauth/revoke');

const ADDRESSES = [METADATA, AUTHORIZE, RESUME, TOKEN, REVOKE, DEVICE] as const;

const PER_MINUTE = { windowMs: minutes(1) } as const;
/** Of one network. Each writes a row that stays for ten minutes. */
const STARTS = { name: 'oauth-start', attempts: 60, ...PER_MINUTE, withoutRedis: 'refuse' } as const;
const DEVICES = { name: 'oauth-device', attempts: 30, ...PER_MINUTE, withoutRedis: 'refuse' } as const;
/**
 * Of one network, beside refreshes with a token of ours: each is a query, and may guess. An app that waits for its user asks every five
 * seconds; many apps may share a network.
 */
const GUESSES = { name: 'oauth', attempts: 600, ...PER_MINUTE, withoutRedis: 'allow' } as const;
/** Of one refresh token, whatever its network sends beside it. */
const REFRESHES = { name: 'oauth-refresh', attempts: 20, ...PER_MINUTE, withoutRedis: 'allow' } as const;

const TIMEOUT_MS = seconds(5);
const RETURNED_HEADERS = ['content-type', 'cache-control', 'location', 'www-authenticate'];

type Parts = {
  redis: Redis;
  pool: ServicePool;
  sign: TokenSigner;
  findPlace: FindPlace;
  requestCookie: RequestCookie;
  refreshTokens: RefreshTokens;
};

const headersFor = async (parts: Parts, exchange: Exchange): Promise<Record<string, string>> => {
  const token = await parts.sign('identity', { ...ANONYMOUS, address: exchange.address });
  const trace = currentTrace();
  return {
    authorization: `Bearer ${token}`,
    accept: 'application/json',
    [CLIENT_ORIGIN_HEADER]: encodeURIComponent(JSON.stringify(originOf(parts.findPlace, exchange))),
    ...(trace === undefined ? {} : { traceparent: traceparentOf(trace) }),
  };
};

/** The cookie by which identity resumes a request, for the browser in which it began. */
const resumeHeader = ({ requestCookie }: Parts, { request, params }: Exchange): Record<string, string> => {
  const { uid = '' } = params;
  return requestCookie.has(request, uid) ? { cookie: `oauth_resume=${uid}` } : {};
};

/** Whether a 401 is about the app, which is unknown or disabled. Any other refuses a token of ours, by a clock that is wrong. */
const isOfTool = (body: string): boolean => body.startsWith('{"error":"invalid_client"');

type Posted = { headers: Record<string, string>; body: string };

const send = async (parts: Parts, exchange: Exchange, posted?: Posted): Promise<Reply> => {
  const { url } = exchange;
  const path = `${url.pathname.replace(/^\/api(?=\/)/, '')}${url.search}`;
  const headers = {
    ...(await headersFor(parts, exchange)),
    ...resumeHeader(parts, exchange),
    ...posted?.headers,
  };
  const call = { path, headers, signal: AbortSignal.timeout(TIMEOUT_MS) };
  const requesting =
    posted === undefined
      ? parts.pool.request({ ...call, method: 'GET' })
      : parts.pool.request({ ...call, method: 'POST', body: posted.body });
  const incoming = await requesting.catch((cause: unknown) => {
    throw cause instanceof AppError ? cause : failedRequest(cause);
  });
  const body = await incoming.body.text();
  if (incoming.statusCode === 401 && !isOfTool(body)) throw createError('service.unavailable');
  const { 'set-cookie': cookies = [], ...rest } = incoming.headers;
  const begun = [cookies].flat().map((line) => BEGUN.exec(line)?.[1]);
  for (const id of begun) if (id !== undefined) parts.requestCookie.add(exchange, id);
  const returned = RETURNED_HEADERS.map((name) => [name, rest[name]] as const);
  return {
    status: incoming.statusCode,
    headers: Object.fromEntries(returned.filter(([, value]) => value !== undefined)) as Reply['headers'],
    body,
  };
};

/** identity's cookie names the request that has begun; the browser gets one of ours. */
const BEGUN = /^oauth_request=([A-Za-z0-9_-]+);/;

const respondWith = ({ response }: Exchange, { status, headers, body }: Reply): void => {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.status(status).end(body);
};

/** Signs the refresh token in a reply. */
const signed = ({ refreshTokens }: Parts, reply: Reply): Reply => {
  if (reply.status !== 200) return reply;
  const tokens = JSON.parse(reply.body) as { refresh_token?: string };
  if (tokens.refresh_token === undefined) return reply;
  const body = JSON.stringify({ ...tokens, refresh_token: refreshTokens.sign(tokens.refresh_token) });
  return { ...reply, body };
};

type Limits = { guesses: AttemptLimit; refreshes: AttemptLimit };

const FORM = 'application/x-www-form-urlencoded';

/** The form of a request, in which a refresh token of ours is the one that identity knows, with that token. */
const readFields = async (
  { refreshTokens }: Parts,
  { request }: Exchange,
): Promise<{ fields: URLSearchParams; ours: string | null }> => {
  assertAnnounced(request); // a body of unknown size is never collected
  const fields = new URLSearchParams(await text(request));
  for (const name of ['refresh_token', 'token']) {
    const ours = refreshTokens.open(fields.get(name) ?? '');
    if (ours === null) continue;
    fields.set(name, ours);
    return { fields, ours };
  }
  return { fields, ours: null };
};

/** Of a network that is over its limit, what has a token of ours goes on. */
const postTo =
  (parts: Parts, { guesses, refreshes }: Limits, shareRefresh: ShareRefresh) =>
  async (exchange: Exchange): Promise<void> => {
    const isForm = mediaTypeOf(exchange.request) === FORM;
    assertUtf8(exchange.request);
    const { fields, ours } = await readFields(parts, exchange);
    if (ours === null) await guesses.consume(networkOf(exchange.address));
    else await refreshes.consume(hash('sha256', ours, 'base64url'));
    const headers = { 'content-type': isForm ? FORM : '' };
    const post = async () => signed(parts, await send(parts, exchange, { headers, body: fields.toString() }));
    const refresh = { clientId: fields.get('client_id') ?? '', token: ours ?? '' };
    const isRefresh = ours !== null && fields.get('grant_type') === 'refresh_token';
    respondWith(exchange, isRefresh ? await shareRefresh(refresh, post) : await post());
  };

/** Pages and extensions of other origins may read everything but the page that asks the user; their cookies are ignored. */
const isForScripts = (path: string): boolean => !path.startsWith('/oauth/authorize');

export const oauthEndpoints = (parts: Parts): Route[] => {
  const { redis } = parts;
  const starts = createAttemptLimit(redis, STARTS);
  const devices = createAttemptLimit(redis, DEVICES);
  const limits = {
    guesses: createAttemptLimit(redis, GUESSES),
    refreshes: createAttemptLimit(redis, REFRESHES),
  };
  const post = postTo(parts, limits, createShareRefresh(redis));
  const get = async (exchange: Exchange) => respondWith(exchange, await send(parts, exchange));
  return ADDRESSES.map((address) => ({
    ...address,
    respond: async (exchange) => {
      const network = networkOf(exchange.address);
      if (isForScripts(address.path)) exchange.response.set('access-control-allow-origin', '*');
      if (address === AUTHORIZE) await starts.consume(network);
      if (address === RESUME) await limits.guesses.consume(network);
      if (address === DEVICE) await devices.consume(network);
      await (address.method === 'GET' ? get(exchange) : post(exchange));
    },
  }));
};
