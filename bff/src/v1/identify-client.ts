import type { Scope } from '@shortlist/contracts/api/api-keys';
import { AppError, createError } from '@shortlist/kit/process/errors';
import type { Request, Response } from 'express';
import { looksLikeKey } from '../api-keys/key.ts';
import type { Allowance, CheckKey, Client } from '../api-keys/check-key.ts';
import type { ClientRoute, Step } from '../http/endpoint.ts';
import { tokenOf } from '../session/credentials.ts';

/** Names under which other APIs take a key in the address. */
const KEY_PARAMETERS = ['key', 'api_key', 'apikey', 'access_token', 'token'];

/** Throws `client.key_in_address`: an address is written to logs and histories. */
const assertNoKeyIn = ({ searchParams }: URL): void => {
  const isKey = ([name, value]: [string, string]): boolean =>
    KEY_PARAMETERS.includes(name.toLowerCase()) || looksLikeKey(value);
  if ([...searchParams].some(isKey)) throw createError('client.key_in_address');
};

/** What is left, in the headers of draft-ietf-httpapi-ratelimit-headers. */
const setLimits = (response: Response, limits: Record<string, Allowance>): void => {
  const all = Object.entries(limits);
  response.set({
    'ratelimit-policy': all.map(([name, { limit }]) => `"${name}";q=${limit};w=60`).join(', '),
    ratelimit: all.map(([name, { left, seconds }]) => `"${name}";r=${left};t=${seconds}`).join(', '),
  });
};

const assertWithin = (limits: Record<string, Allowance>): void => {
  const over = Object.values(limits).find(({ isOver }) => isOver);
  if (over !== undefined) throw createError('request.rate_limited', { retryAfterSeconds: over.seconds });
};

/** Says in the header of RFC 6750 (3) what is wrong with a token; libraries refresh theirs by it. */
const challenge = (response: Response, error: string): void => {
  response.set('www-authenticate', `Bearer ${error}`);
};

const isRefused = (error: unknown): boolean => error instanceof AppError && error.status === 401;

const checkCredential = (checkKey: CheckKey, token: string, { ip = '', res }: Request) =>
  checkKey(token, ip).catch((error: unknown) => {
    if (res !== undefined && isRefused(error)) challenge(res, 'error="invalid_token"');
    throw error;
  });

const assertScope = (scope: Scope, { scopes }: Client, response: Response): void => {
  if (scopes.includes(scope)) return;
  challenge(response, `error="insufficient_scope", scope="${scope}"`);
  throw createError('client.scope_missing');
};

/** Finds out which tool sends the request, and for whom. Throws unless its key allows the endpoint. */
export const identifyClient =
  (checkKey: CheckKey, { scope }: ClientRoute): Step =>
  async (request, response, next) => {
    const { locals } = response;
    assertNoKeyIn(locals.url);
    const token = tokenOf(request);
    if (token === null) throw createError('client.key_missing');
    const address = request.ip ?? '';
    const { client, ofKey, ofUser, ofTool } = await checkCredential(checkKey, token, request);
    const caller = { role: 'user', userId: client.userId, address, clientId: client.id } as const;
    locals.observation.actor = caller;
    const limits = { key: ofKey, user: ofUser, ...(ofTool && { client: ofTool }) };
    setLimits(response, limits);
    assertWithin(limits);
    assertScope(scope, client, response);
    locals.visitor = { address, caller, token, bindings: { user: '', admin: '' }, session: null, client };
    next();
  };
