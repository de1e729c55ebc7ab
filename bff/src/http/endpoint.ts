import { hash } from 'node:crypto';
import type { Scope } from '@shortlist/contracts/api/connected-apps';
import type { ClientEndpoint } from '@shortlist/contracts/api/v1';
import type { Audience, PublicEndpoint } from '@shortlist/contracts/api/operation';
import type { Observation } from '@shortlist/kit/http/observe';
import { sendJson } from '@shortlist/kit/http/respond';
import { mergeInput, parseInput } from '@shortlist/kit/http/router';
import type { Caller } from '@shortlist/kit/http/service-token';
import type { Request, RequestHandler, Response } from 'express';
import type { Client } from '../api-keys/check-key.ts';
import type { Bindings, Session } from '../session/session.ts';
import fresh from 'fresh';

const TYPES = { json: 'application/json; charset=utf-8', html: 'text/html; charset=utf-8' } as const;

/** Ignores `Cache-Control: no-cache`, with which nothing counts as known: fetch adds it to each request whose tag its caller sets. */
const isKnown = (etag: string, { headers }: Request): boolean =>
  fresh({ 'if-none-match': headers['if-none-match'] }, { etag });

/** Sends a text with a tag that names it: a client that has the text gets 304 and no body. */
export const sendTagged = (response: Response, type: keyof typeof TYPES, text: string): void => {
  const tag = `"${hash('sha256', text, 'base64url').slice(0, 27)}"`;
  response.setHeader('etag', tag);
  if (isKnown(tag, response.req)) return void response.status(304).end();
  const headers = { 'content-type': TYPES[type], 'content-length': Buffer.byteLength(text) };
  response.writeHead(200, headers).end(text);
};

/** Who sends a request. */
export type Visitor = {
  /** The client's network address; behind a trusted proxy, the one that the proxy reports. */
  address: string;
  caller: Caller;
  token: string | null;
  bindings: Bindings;
  session: Session | null;
  /** The app that acts for the user. */
  client: Client | null;
  /** Throws unless the caller may still call the endpoint: for what takes long to arrive. Apps send nothing that does. */
  checkAgain?: (() => Promise<void>) | undefined;
};

/** A request that has passed the guards of its endpoint. */
export type Exchange = Visitor & {
  request: Request;
  response: Response;
  url: URL;
  /** The values of the path's parameters, decoded. */
  params: Record<string, string>;
};

/** What the middleware before an endpoint has found out about the request. */
export type Locals = { observation: Observation; url: URL; visitor: Visitor };

/** One middleware of the list in `app.ts`. */
export type Step = RequestHandler<Record<string, string>, unknown, unknown, Request['query'], Locals>;

/** An endpoint of the public API with what responds. */
export type Route = PublicEndpoint<never, unknown> & { respond: (exchange: Exchange) => Promise<void> };
/** An endpoint for apps, whose key must allow it. */
export type ClientRoute = Route & { scope: Scope };

/** What an endpoint for apps knows of its caller. */
export type ActingFor = { client: Client; userId: string };

/** What an endpoint for sessions knows of its caller. */
export type SignedIn = { session: Session; token: string; userId: string };

type KnownOf<To> = To extends 'strangers' | 'everybody'
  ? unknown
  : To extends 'clients'
    ? ActingFor
    : SignedIn;

type Composition<Input, To> = Exchange & { input: Input } & KnownOf<To>;

const compositionOf = <Input, To extends Audience>(
  endpoint: PublicEndpoint<Input, unknown, To>,
  exchange: Exchange,
): Composition<Input, To> => {
  const { request, params, caller } = exchange;
  const merged = mergeInput({ query: request.query, body: request.body as unknown, params });
  const input = parseInput<Input>(endpoint.schema, merged);
  // The guards have let through only callers of the audience: where it has sessions or apps, there is one.
  return { ...exchange, input, userId: caller.userId } as Exchange & { input: Input } as Composition<
    Input,
    To
  >;
};

/** Writes the response of an endpoint here, which is a file: the input is validated. */
export const streamed = <Input, To extends Audience>(
  endpoint: PublicEndpoint<Input, string, To>,
  handle: (composition: Composition<Input, To>) => Promise<void>,
): Route => ({
  ...(endpoint as PublicEndpoint<never, unknown>),
  respond: (exchange) => handle(compositionOf(endpoint, exchange)),
});

/** Composes the response of an endpoint here: the input is validated, the result sent as JSON. */
export const composed = <Input, Reply, To extends Audience>(
  endpoint: PublicEndpoint<Input, Reply, To>,
  handle: (composition: Composition<Input, To>) => Promise<Reply>,
): Route => ({
  ...(endpoint as PublicEndpoint<never, unknown>),
  respond: async (exchange) =>
    sendJson(exchange.response, endpoint.status, await handle(compositionOf(endpoint, exchange))),
});

/** Composes the response of an endpoint for apps. */
export const forTool = <Input, Reply>(
  endpoint: ClientEndpoint<Input, Reply>,
  handle: (composition: Composition<Input, 'clients'>) => Promise<Reply>,
): ClientRoute => ({ ...composed(endpoint, handle), scope: endpoint.scope });

/** Adds an ETag to a reply that the app may keep: one that has not changed since costs no body. */
export const tagged = <Input, Reply>(
  endpoint: ClientEndpoint<Input, Reply>,
  {
    cacheControl,
    handle,
  }: { cacheControl: string; handle: (composition: Composition<Input, 'clients'>) => Promise<Reply> },
): ClientRoute => ({
  ...(endpoint as ClientEndpoint<never, unknown>),
  respond: async (exchange) => {
    const { response } = exchange;
    const reply = await handle(compositionOf(endpoint, exchange));
    response.setHeader('cache-control', cacheControl).appendHeader('vary', 'authorization');
    sendTagged(response, 'json', JSON.stringify(reply));
  },
});
