import type { Endpoint } from '@shortlist/contracts/api/endpoint';
import { validate } from '@shortlist/contracts/schemas/validate';
import type { Express, Request, Response } from 'express';
import type Joi from 'joi';
import { createError } from '../process/errors.ts';
import type { Caller, TokenVerifier } from './service-token.ts';

/** Says on whose behalf a request is made; throws when that cannot be told. */
export type Identify = (request: Request) => Promise<Caller>;

type Answer<Input, Reply> = (asked: {
  input: Input;
  caller: Caller;
  request: Request;
  response: Response;
}) => Promise<Reply>;

type EndpointRule<Input, Reply> = {
  /** Path parameters, query and body together are held against it once, here; inside, types are trusted. */
  input: Joi.Schema<Input>;
  /** Who may ask. A person's own id is checked by `owner`. */
  roles: readonly Caller['role'][];
  /** A user may ask only about the id that this names; others are told that there is no such thing. */
  owner?: (input: Input) => string;
  status?: number;
  handle: Answer<Input, Reply>;
};

export type Router = {
  add: <Input, Reply>(endpoint: Endpoint<Input, Reply>, rule: EndpointRule<Input, Reply>) => void;
  /** Answers known paths asked with another method; to be called after the last `add`. */
  close: () => void;
};

/** Callers of a service are named by the token made for it. */
export const byServiceToken =
  (verify: TokenVerifier): Identify =>
  (request) => {
    const header = request.headers.authorization;
    return verify(header?.startsWith('Bearer ') ? header.slice('Bearer '.length) : undefined);
  };

const inputOf = (request: Request): unknown => {
  const body: unknown = request.body;
  if (Array.isArray(body)) return body;
  if (Buffer.isBuffer(body)) return { ...request.query, ...request.params };
  return { ...request.query, ...(typeof body === 'object' ? body : {}), ...request.params };
};

const parse = <Input>(schema: Joi.Schema<Input>, request: Request): Input => {
  const { value, fields } = validate(schema, inputOf(request));
  if (fields !== null) throw createError('request.invalid', { fields });
  return value;
};

const assertRole = (roles: readonly Caller['role'][], caller: Caller): void => {
  if (roles.includes(caller.role)) return;
  throw createError(caller.role === 'anonymous' ? 'session.missing' : 'session.forbidden');
};

const assertOwner = <Input, Reply>(
  { owner }: EndpointRule<Input, Reply>,
  caller: Caller,
  input: Input,
): void => {
  if (caller.role === 'user' && owner && owner(input) !== caller.userId)
    throw createError('request.not_found');
};

/** The doors of a process: who asks is made out first, then the input is checked, then the answer sent as JSON. */
export const createRouter = (
  app: Express,
  { identify, pathsOf = (path) => [path] }: { identify: Identify; pathsOf?: (path: string) => string[] },
): Router => {
  const methods = new Map<string, string[]>();
  return {
    add: (endpoint, rule) => {
      const paths = pathsOf(endpoint.path);
      for (const path of paths) methods.set(path, [...(methods.get(path) ?? []), endpoint.method]);
      const method = endpoint.method.toLowerCase() as 'get' | 'post' | 'put' | 'delete';
      app[method](paths, async (request, response) => {
        const caller = await identify(request);
        assertRole(rule.roles, caller); // before the input is looked at: who may not ask learns nothing of what to ask
        const input = parse(rule.input, request);
        assertOwner(rule, caller, input);
        const reply = await rule.handle({ input, caller, request, response });
        if (!response.writableEnded) response.status(rule.status ?? 200).json(reply); // else it was streamed
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
