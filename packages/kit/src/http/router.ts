import type { IncomingHttpHeaders } from 'node:http';
import type { Operation } from '@shortlist/contracts/api/endpoint';
import { PROBLEMS_MAX, shortName, validate } from '@shortlist/contracts/schemas/validation';
import type { Express, Request, Response } from 'express';
import type Joi from 'joi';
import { createError } from '../process/errors.ts';
import { assertShape } from './input-shape.ts';
import type { Caller, TokenVerifier } from './service-token.ts';

/** Returns the caller of a request. Throws if the request does not identify or cannot prove its caller. */
export type Identify = (request: Request) => Promise<Caller>;

type Handle<Input, Reply> = (context: {
  input: Input;
  caller: Caller;
  request: Request;
  response: Response;
}) => Promise<Reply>;

export type Router = {
  /** Registers the handler of an endpoint. Its input is validated. A handler that streams its response returns after sending it. */
  add: <Input, Reply>(endpoint: Operation<Input, Reply>, handle: Handle<Input, Reply>) => void;
  /** Registers 405 for the other methods of each path. Call it after the last `add`. */
  close: () => void;
};

/** Identifies callers by the service token in the Authorization header. */
export const byServiceToken =
  (verify: TokenVerifier): Identify =>
  (request) => {
    const header = request.headers.authorization;
    return verify(header?.startsWith('Bearer ') ? header.slice('Bearer '.length) : undefined);
  };

/** Throws `request.invalid` if two parts of a request contain the same name, because only one value could count. */
const assertDisjoint = (...parts: object[]): void => {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const name of parts.flatMap((part) => Object.keys(part)))
    if (seen.has(name)) repeated.add(name);
    else seen.add(name);
  if (repeated.size === 0) return;
  const named = [...repeated].slice(0, PROBLEMS_MAX);
  const fields = Object.fromEntries(named.map((name) => [shortName(name), 'This field is given twice']));
  throw createError('request.invalid', { fields });
};

/** Characters that no id contains. The database cannot compare non-ASCII text with a column of ids. */
const FOREIGN_TO_IDS = /[^\x21-\x7e]/;

/** Throws `request.invalid` if a path parameter has a space, a control character or a non-ASCII character. */
export const assertIds = (params: Readonly<Record<string, unknown>>): void => {
  const names = Object.keys(params).filter((name) => FOREIGN_TO_IDS.test(String(params[name])));
  if (names.length === 0) return;
  const fields = Object.fromEntries(names.map((name) => [name, 'Must be an id']));
  throw createError('request.invalid', { fields });
};

/** Whether a request announces a body that is not empty. */
export const hasBody = ({ headers }: { headers: IncomingHttpHeaders }): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * Throws `request.unsupported_type` for a body that was not parsed because it is not JSON. Treated as missing, it would change the meaning of
 * the request: a partial commit would become a full one.
 */
const assertBodyRead = (request: { headers: IncomingHttpHeaders; body?: unknown }): void => {
  if (hasBody(request) && request.body === undefined) throw createError('request.unsupported_type');
};

/**
 * Merges the parts of a request into one input: query, JSON body and path parameters. Throws `request.invalid` if two parts contain the same
 * name, or the body has more parts than any endpoint takes from a client. `isOurs`: a process of ours sent it, whose lists may be longer.
 */
export const mergeInput = (
  { query, body, params }: { query: object; body: unknown; params: object },
  { isOurs }: { isOurs: boolean } = { isOurs: false },
): unknown => {
  if (!isOurs && !Buffer.isBuffer(body)) assertShape(body);
  if (Array.isArray(body)) return body;
  const fields = typeof body === 'object' && body !== null && !Buffer.isBuffer(body) ? body : {};
  assertDisjoint(query, fields, params);
  return { ...query, ...fields, ...params };
};

/**
 * A header of the calls between our processes (RFC 7240), whose unknown fields are dropped: the caller may be of a newer release. bff passes on
 * no such header, so what a client sends stays strict.
 */
export const LENIENT = { prefer: 'handling=lenient' } as const;

/** Validates `input`. Throws `request.invalid` with a message for each field, including unknown ones unless those are dropped. */
export const parseInput = <Input>(
  schema: Joi.Schema<Input>,
  input: unknown,
  unknown: 'drop' | 'refuse' = 'refuse',
): Input => {
  const { value, fields } = validate(schema, input, { unknown });
  if (fields !== null) throw createError('request.invalid', { fields });
  return value;
};

/** Throws `session.missing` for an anonymous caller, and `session.forbidden` for a role that is not listed. */
export const assertRole = (roles: readonly Caller['role'][], caller: Caller): void => {
  if (roles.includes(caller.role)) return;
  throw createError(caller.role === 'anonymous' ? 'session.missing' : 'session.forbidden');
};

type Rights = Pick<Operation<never, unknown>, 'self' | 'selfOnly'>;

const assertSelf = ({ self, selfOnly }: Rights, caller: Caller, input: Record<string, unknown>): void => {
  if (self === null || (caller.role !== 'user' && !selfOnly)) return;
  if (input[self] !== caller.userId) throw createError('request.not_found');
};

/** Runs the handler of a change; nothing is committed if a right of the caller has ended. */
export type WithRights = <T>(caller: Caller, handle: () => Promise<T>) => Promise<T>;

/** Registers endpoints with Express, which identify the caller, validate the input, and send the result as JSON. */
export const createRouter = (
  app: Express,
  { identify, withRights }: { identify: Identify; withRights: WithRights },
): Router => {
  const methods = new Map<string, string[]>();
  return {
    add: (endpoint, handle) => {
      const { method, path, roles, schema, status, comparesRights } = endpoint;
      methods.set(path, [...(methods.get(path) ?? []), method]);
      const register = method.toLowerCase() as 'get' | 'post' | 'put' | 'delete';
      app[register](path, async (request, response) => {
        const caller = await identify(request);
        response.locals['caller'] = caller; // for the access log
        assertRole(roles, caller); // before validation, so that an unauthorized caller learns nothing about the input
        assertIds(request.params);
        assertBodyRead(request);
        const unknown = request.headers.prefer === LENIENT.prefer ? 'drop' : 'refuse';
        const merged = mergeInput(request, { isOurs: caller.role === 'service' });
        const input = parseInput<Record<string, unknown>>(schema, merged, unknown);
        assertSelf(endpoint, caller, input);
        const respond = () => handle({ input: input as never, caller, request, response });
        const reply = await (method === 'GET' || !comparesRights ? respond() : withRights(caller, respond));
        if (!response.writableEnded) response.status(status).json(reply); // otherwise the handler streamed it
      });
    },
    close: () => {
      for (const [path, allowed] of methods) {
        app.all(path, (_request, response) => {
          response.setHeader('allow', allowed.join(', '));
          throw createError('request.method_not_allowed');
        });
      }
    },
  };
};
