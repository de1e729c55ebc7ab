import type { Permission } from '@shortlist/contracts/admin-permissions';
import type { Endpoint, Method } from '@shortlist/contracts/api/endpoint';
import type { Audience, PublicEndpoint as Declared } from '@shortlist/contracts/api/public-endpoint';
import type { Observation } from '@shortlist/kit/http/observe';
import { sendJson } from '@shortlist/kit/http/respond';
import { type EndpointRule, mergeInput, parseInput } from '@shortlist/kit/http/router';
import type { Caller } from '@shortlist/kit/http/service-token';
import type { Request, RequestHandler, Response } from 'express';
import type { Bindings, Session } from '../session/session.ts';

/** Who sends a request. */
export type Visitor = {
  /** The client's network address; behind a trusted proxy, the one that the proxy reports. */
  address: string;
  caller: Caller;
  token: string | null;
  bindings: Bindings;
  session: Session | null;
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

/** The guards of an endpoint that most endpoints do without. */
export type Guards = Pick<PublicEndpoint, 'recent' | 'beforeSecondFactor' | 'duringDeletion'>;

/**
 * Who may call. With 'anonymous', a session is read if the request has a token; `public` never reads one. An endpoint that admins may
 * call names the permission that their role must have; `own_account` stands for what every admin may do with their own account.
 */
export type Access =
  | { roles: 'public' | readonly Exclude<Caller['role'], 'admin'>[]; permission?: never }
  | { roles: readonly Caller['role'][]; permission: Permission | 'own_account' };

/** One endpoint of the public API: where it is, who may call it, and what responds. Declared once, in `endpoints.ts`. */
export type PublicEndpoint = Access & {
  method: Method;
  path: string;
  /** The bytes of its largest body. A request that announces more is refused before anything else is done for it. */
  bodyBytes: number;
  /** JSON is read before `respond`; any other body is left to it. */
  body?: 'json';
  /** False for callers that are not browsers, such as the payment provider. */
  crossSiteCheck?: false;
  /** Requires that the user has proved who they are within STEP_UP_SECONDS. */
  recent?: true;
  /** Open to an admin who has to set up a second factor first. */
  beforeSecondFactor?: true;
  /** Open to a user whose account is about to be deleted. So is every endpoint that requires no session. */
  duringDeletion?: true;
  respond: (exchange: Exchange) => Promise<void>;
};

/**
 * The bytes of a body for which an endpoint declares no other number: an e-mail address, a password of 256 characters and a token, each
 * character escaped.
 */
export const FORM_BYTES = 4 * 1024;

type HandlerRule<Input, Reply> = Omit<EndpointRule<Input, Reply, Exchange>, 'owner' | 'roles'> &
  Access &
  Guards & {
    /** A form is left unread: the handler reads it, and checks its size, once it knows that the caller may send one. */
    body?: 'json' | 'form';
    bodyBytes?: number;
  };

/** The roles of each audience. */
const ROLES = {
  strangers: 'public',
  everybody: ['anonymous', 'user', 'admin'],
  users: ['user'],
  admins: ['admin'],
  sessions: ['user', 'admin'],
} as const satisfies Record<Audience, PublicEndpoint['roles']>;

/** A declared endpoint, with what responds. */
export const registered = (
  { to, permission, body, ...declared }: Declared<never, unknown>,
  respond: PublicEndpoint['respond'],
): PublicEndpoint => ({
  ...declared,
  ...({ roles: ROLES[to], ...(permission === null ? {} : { permission }) } as Access),
  ...(body === 'json' ? { body } : {}),
  respond,
});

/** What an endpoint for sessions knows of its caller. */
export type SignedIn = { session: Session; token: string; userId: string };
type ExchangeOf<To> = Exchange & (To extends 'strangers' | 'everybody' ? unknown : SignedIn);
export type HandleOf<Input, Reply, To> = (exchange: ExchangeOf<To> & { input: Input }) => Promise<Reply>;

/** An endpoint whose response is composed by bff: the input is validated, the result sent as JSON. */
export const composed = <Input, Reply, To extends Audience>(
  endpoint: Declared<Input, Reply, To>,
  handle: HandleOf<Input, Reply, To>,
): PublicEndpoint =>
  registered(endpoint as unknown as Declared<never, unknown>, async (exchange) => {
    const { request, response, params, session } = exchange;
    const merged = mergeInput({ query: request.query, body: request.body as unknown, params });
    const input = parseInput<Input>(endpoint.schema, merged);
    // Who may call has been checked: a session is there where the audience needs one.
    const known = { ...exchange, input, userId: session?.userId } as Parameters<typeof handle>[0];
    sendJson(response, endpoint.status, await handle(known));
  });

/** An endpoint whose response is composed by bff: the input is validated against its schema, the result sent as JSON. */
export const handled = <Input, Reply>(
  { method, path }: Endpoint<Input, Reply>,
  {
    input,
    body = 'json',
    bodyBytes = FORM_BYTES,
    status = 200,
    handle,
    ...guards
  }: HandlerRule<Input, Reply>,
): PublicEndpoint => ({
  method,
  path,
  ...(body === 'json' ? { body, bodyBytes } : { bodyBytes: Infinity }),
  ...guards,
  respond: async (exchange) => {
    const { request, response, params } = exchange;
    const merged = mergeInput({ query: request.query, body: request.body as unknown, params });
    sendJson(response, status, await handle({ ...exchange, input: parseInput(input, merged) }));
  },
});
