import type { IncomingMessage, ServerResponse } from 'node:http';
import { fillPath } from '@shortlist/contracts/api/endpoint';
import type { Caller, TokenSigner } from '@shortlist/kit/http/service-token';
import { currentTraceparent } from '@shortlist/kit/process/trace';
import { API_HEADERS } from '../front/reply.ts';
import { requireSession } from '../session/identify.ts';
import type { Sessions } from '../session/sessions.ts';
import type { Xsrf } from '../session/xsrf.ts';
import type { Proxy } from './proxy.ts';
import type { PassRule } from './table.ts';
import type { ServiceName } from '../services.ts';

export type ForwardParts = {
  sessions: Sessions;
  sign: TokenSigner;
  xsrf: Xsrf;
  proxies: Record<ServiceName, Proxy>;
};

/** What a client may say to a service. Everything else that it sends stays here. */
const PASSED = new Set([
  'accept',
  'accept-language',
  'content-length',
  'content-type',
  'transfer-encoding',
  'expect',
  'host',
  'idempotency-key',
  'if-none-match',
  'stripe-signature',
]);

const callerOf = async (
  { sessions }: ForwardParts,
  request: IncomingMessage,
  access: PassRule['access'],
): Promise<Caller> => {
  if (access === 'open' || access === 'raw') return { role: 'anonymous', userId: null };
  const { role, userId } = await requireSession(sessions, request, access);
  return { role, userId };
};

const replaceHeaders = (request: IncomingMessage, own: Record<string, string>): void => {
  for (const name of Object.keys(request.headers)) if (!PASSED.has(name)) delete request.headers[name];
  Object.assign(request.headers, own);
};

type Passing = {
  request: IncomingMessage;
  response: ServerResponse;
  url: URL;
  params: Record<string, string>;
};

const targetUrl = (rule: PassRule, { url, params }: Passing, caller: Caller): string => {
  if (rule.prefix) return url.pathname;
  return fillPath(rule.endpoint, { ...params, userId: caller.userId ?? '' }).path + url.search;
};

/** Passes a request on under the name of its session, with our headers in place of the client's. */
export const createForward =
  (parts: ForwardParts) =>
  async (rule: PassRule, passing: Passing): Promise<void> => {
    const { request, response } = passing;
    if (rule.access !== 'raw') parts.xsrf.assert(request);
    const caller = await callerOf(parts, request, rule.access);
    const token = await parts.sign(rule.to, caller);
    replaceHeaders(request, { authorization: `Bearer ${token}`, traceparent: currentTraceparent() });
    request.url = targetUrl(rule, passing, caller);
    if (rule.access === 'user' || rule.access === 'admin')
      response.setHeaders(new Map(Object.entries(API_HEADERS)));
    await parts.proxies[rule.to](request, response);
  };
