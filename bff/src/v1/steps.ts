// The steps of a request that only apps send.
import type { Scope } from '@shortlist/contracts/api/connected-apps';
import { type Right, rightTo, toolRight } from '@shortlist/contracts/api/endpoint';
import { hours, inSeconds } from '@shortlist/contracts/durations';
import { AppError, createError } from '@shortlist/kit/process/errors';
import type { Request, Response, Router } from 'express';
import type { Allowance, Allowances, CheckKey, Client } from '../api-keys/check-key.ts';
import { looksLikeKey } from '../api-keys/key.ts';
import type { ClientRoute, Step } from '../http/endpoint.ts';
import { tokenOf } from '../session/credentials.ts';

const EXTENSION = /^(chrome|moz|safari-web)-extension:\/\/[\w-]+$/;

/**
 * Whether a page of this origin may call the endpoint. A key is a secret of its user: pages of other sites may read with it, but not charge,
 * since what they are given can be taken from them. Extensions are installed by the user, and have an origin of their own.
 */
const isAllowed = ({ scope }: ClientRoute, origin: string, own: string): boolean =>
  scope !== 'credits:charge' || origin === own || EXTENSION.test(origin);

const EXPOSED = ['etag', 'ratelimit', 'ratelimit-policy', 'retry-after', 'x-request-id'].join(', ');

/** Tells the browser which pages may read the response. Throws `client.origin_refused` for those that may not call. */
export const allowOrigin =
  (endpoint: ClientRoute, own: string): Step =>
  ({ headers: { origin } }, response, next) => {
    response.appendHeader('vary', 'origin');
    if (origin !== undefined) {
      if (!isAllowed(endpoint, origin, own)) throw createError('client.origin_refused');
      response.set({ 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED });
    }
    next();
  };

const PREFLIGHT = {
  'access-control-allow-headers': 'authorization, content-type, idempotency-key, if-none-match, traceparent',
  'access-control-max-age': String(inSeconds(hours(1))),
};

/** Responds to the requests by which browsers ask ahead. */
export const addPreflights = (router: Router, endpoints: readonly ClientRoute[], own: string): void => {
  for (const endpoint of endpoints)
    router.options(endpoint.path, allowOrigin(endpoint, own), (request, response, next) => {
      if (request.headers['access-control-request-method'] !== endpoint.method) return next();
      response
        .set({ ...PREFLIGHT, 'access-control-allow-methods': endpoint.method })
        .status(204)
        .end();
    });
};

/** Names under which other APIs take a key in the address. */
const KEY_PARAMETERS = ['key', 'api_key', 'apikey', 'access_token', 'token'];

/** Throws `client.key_in_address`: an address is written to logs and histories. */
const assertNoKeyIn = ({ searchParams }: URL): void => {
  const isKey = ([name, value]: [string, string]): boolean =>
    KEY_PARAMETERS.includes(name.toLowerCase()) || looksLikeKey(value);
  if ([...searchParams].some(isKey)) throw createError('client.key_in_address');
};

/** What is left, in the headers of draft-ietf-httpapi-ratelimit-headers. */
const setLimits = (response: Response, allowances: Allowances): void => {
  const all = Object.entries<Allowance>(allowances);
  response.set({
    'ratelimit-policy': all.map(([name, { limit }]) => `"${name}";q=${limit};w=60`).join(', '),
    ratelimit: all.map(([name, { left, seconds }]) => `"${name}";r=${left};t=${seconds}`).join(', '),
  });
};

const assertWithin = (allowances: Allowances): void => {
  const over = Object.values<Allowance>(allowances).find(({ isOver }) => isOver);
  if (over !== undefined) throw createError('request.rate_limited', { retryAfterSeconds: over.seconds });
};

/** Says in the header of RFC 6750 (3) what is wrong with a token; libraries refresh theirs by it. */
const challenge = (response: Response, error: string): void => {
  response.set('www-authenticate', `Bearer ${error}`);
};

const isRefused = (error: unknown): boolean => error instanceof AppError && error.status === 401;

type Credential = { token: string; scope: Scope };

const checkCredential = (checkKey: CheckKey, { token, scope }: Credential, { ip = '', res }: Request) =>
  checkKey(token, { address: ip, scope }).catch((error: unknown) => {
    if (res !== undefined && isRefused(error)) challenge(res, 'error="invalid_token"');
    throw error;
  });

/** What a request of the app stands on. */
const rightsOf = ({ id, toolId, toolGeneration }: Client): Right[] =>
  toolId === null ? [rightTo('key', id)] : [rightTo('connection', id), toolRight(toolId, toolGeneration)];

const refuseScope = (scope: Scope, response: Response): never => {
  challenge(response, `error="insufficient_scope", scope="${scope}"`);
  throw createError('client.scope_missing');
};

/** Finds out which app sends the request, and for whom. Throws unless its key allows the endpoint. */
export const identifyClient =
  (checkKey: CheckKey, { scope }: ClientRoute): Step =>
  async (request, response, next) => {
    const { locals } = response;
    assertNoKeyIn(locals.url);
    const token = tokenOf(request);
    if (token === null) throw createError('client.key_missing');
    const address = request.ip ?? '';
    const checked = await checkCredential(checkKey, { token, scope }, request);
    const { client, mayUse, allowances } = checked;
    const rights = rightsOf(client);
    const caller = { role: 'user', userId: client.userId, address, clientId: client.id, rights } as const;
    locals.observation.actor = caller;
    setLimits(response, allowances);
    if (!mayUse && !allowances.key.isOver) refuseScope(scope, response);
    assertWithin(allowances);
    locals.visitor = { address, caller, token, bindings: { user: '', admin: '' }, session: null, client };
    next();
  };
