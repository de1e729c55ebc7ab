import type { IncomingHttpHeaders } from 'node:http';
import type { Operation } from '@shortlist/contracts/api/endpoint';
import { PROBLEMS_MAX, shortName, validate } from '@shortlist/contracts/schemas/validation';
import type { Express, Request, Response } from 'express';
import type Joi from 'joi';
import { createError } from '../process/errors.ts';
import { assertShape } from './input-shape.ts';
import type { Caller, TokenVerifier } from './service-token.ts';

/** Returns the caller of a request. Throws when the request does not say who calls, or cannot prove it. */
export type Identify = (request: Request) => Promise<Caller>;

type Handle<Input, Reply> = (context: {
  input: Input;
  caller: Caller;
  request: Request;
  response: Response;
}) => Promise<Reply>;

export type Router = {
  /** Registers what handles an endpoint. The input has been validated; a handler that streams its response has sent it when it ends. */
  add: <Input, Reply>(endpoint: Operation<Input, Reply>, handle: Handle<Input, Reply>) => void;
  /** Registers 405 for the other methods of each path; to be called after the last `add`. */
  close: () => void;
};

/** Identifies callers by the service token in the Authorization header. */
export const byServiceToken =
  (verify: TokenVerifier): Identify =>
  (request) => {
    const header = request.headers.authorization;
    return verify(header?.startsWith('Bearer ') ? header.slice('Bearer '.length) : undefined);
  };

/** Throws `request.invalid` when two parts of a request contain the same name: only one of the values could count. */
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

/** Characters of no id. The database cannot compare text beyond ASCII with a column of ids. */
const FOREIGN_TO_IDS = /[^\x21-\x7e]/;

/** Throws `request.invalid` when a path parameter has a space, a control character or a character beyond ASCII. */
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
 * Throws `request.unsupported_type` for a body that nothing has read, because it is of another type than JSON. Taken for none, it would lose
 * what it limits: a commit of a part would be one of everything.
 */
const assertBodyRead = (request: { headers: IncomingHttpHeaders; body?: unknown }): void => {
  if (hasBody(request) && request.body === undefined) throw createError('request.unsupported_type');
};

/**
 * Merges the parts of a request into one input: query, JSON body and path parameters. Throws `request.invalid` when two parts
 * contain the same name, and when the body has more parts than any endpoint.
 */
export const mergeInput = ({
  query,
  body,
  params,
}: {
  query: object;
  body: unknown;
  params: object;
}): unknown => {
  if (!Buffer.isBuffer(body)) assertShape(body);
  if (Array.isArray(body)) return body;
  const fields = typeof body === 'object' && body !== null && !Buffer.isBuffer(body) ? body : {};
  assertDisjoint(query, fields, params);
  return { ...query, ...fields, ...params };
};

/** Validates `input`. Throws `request.invalid` with a message for each field, also for a field that the schema does not have. */
export const parseInput = <Input>(schema: Joi.Schema<Input>, input: unknown): Input => {
  const { value, fields } = validate(schema, input, { unknown: 'refuse' });
  if (fields !== null) throw createError('request.invalid', { fields });
  return value;
};

/** Throws `session.missing` for an anonymous caller, `session.forbidden` for one with a role that is not listed. */
export const assertRole = (roles: readonly Caller['role'][], caller: Caller): void => {
  if (roles.includes(caller.role)) return;
  throw createError(caller.role === 'anonymous' ? 'session.missing' : 'session.forbidden');
};

type Rights = Pick<Operation<never, unknown>, 'self' | 'selfOnly'>;

const assertSelf = ({ self, selfOnly }: Rights, caller: Caller, input: Record<string, unknown>): void => {
  if (self === null || (caller.role !== 'user' && !selfOnly)) return;
  if (input[self] !== caller.userId) throw createError('request.not_found');
};

/** Runs the handler of a change by this caller, which commits nothing once a right of the caller has ended. */
export type WithRights = <T>(caller: Caller, handle: () => Promise<T>) => Promise<T>;

/** Registers endpoints with Express: the caller is identified, then the input validated, then the result sent as JSON. */
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
        assertRole(roles, caller); // before validation: a caller without the right learns nothing about the input
        assertIds(request.params);
        assertBodyRead(request);
        const input = parseInput<Record<string, unknown>>(schema, mergeInput(request));
        assertSelf(endpoint, caller, input);
        const respond = () => handle({ input: input as never, caller, request, response });
        const reply = await (method === 'GET' || !comparesRights ? respond() : withRights(caller, respond));
        if (!response.writableEnded) response.status(status).json(reply); // else the handler streamed it
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
