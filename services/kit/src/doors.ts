import type { Door } from '@shortlist/contracts/api/door';
import { validate } from '@shortlist/contracts/schemas/validate';
import type { Express, Request, Response } from 'express';
import type Joi from 'joi';
import { coded } from './errors.ts';
import type { Caller, TokenVerifier } from './service-token.ts';

/** Says on whose behalf a request is made; throws when that cannot be told. */
export type Identify = (request: Request) => Promise<Caller>;

type Answer<Input, Reply> = (asked: {
  input: Input;
  caller: Caller;
  request: Request;
  response: Response;
}) => Promise<Reply>;

type DoorRule<Input, Reply> = {
  /** Path parameters, query and body together are held against it once, here; inside, types are trusted. */
  input: Joi.Schema<Input>;
  /** Who may ask. A person's own id is checked by `owner`. */
  roles: readonly Caller['role'][];
  /** A user may ask only about the id that this names; others are told that there is no such thing. */
  owner?: (input: Input) => string;
  status?: number;
  answer: Answer<Input, Reply>;
};

export type Doors = {
  add: <Input, Reply>(door: Door<Input, Reply>, rule: DoorRule<Input, Reply>) => void;
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
  if (fields !== null) throw coded('request.invalid', { fields });
  return value;
};

const assertRole = (roles: readonly Caller['role'][], caller: Caller): void => {
  if (roles.includes(caller.role)) return;
  throw coded(caller.role === 'anonymous' ? 'session.missing' : 'session.forbidden');
};

const assertOwner = <Input, Reply>({ owner }: DoorRule<Input, Reply>, caller: Caller, input: Input): void => {
  if (caller.role === 'user' && owner && owner(input) !== caller.userId) throw coded('request.not_found');
};

/** The doors of a process: who asks is made out first, then the input is checked, then the answer sent as JSON. */
export const createDoors = (
  app: Express,
  { identify, pathsOf = (path) => [path] }: { identify: Identify; pathsOf?: (path: string) => string[] },
): Doors => {
  const methods = new Map<string, string[]>();
  return {
    add: (door, rule) => {
      const paths = pathsOf(door.path);
      for (const path of paths) methods.set(path, [...(methods.get(path) ?? []), door.method]);
      const method = door.method.toLowerCase() as 'get' | 'post' | 'put' | 'delete';
      app[method](paths, async (request, response) => {
        const caller = await identify(request);
        assertRole(rule.roles, caller); // before the input is looked at: who may not ask learns nothing of what to ask
        const input = parse(rule.input, request);
        assertOwner(rule, caller, input);
        const reply = await rule.answer({ input, caller, request, response });
        if (!response.writableEnded) response.status(rule.status ?? 200).json(reply); // else it was streamed
      });
    },
    close: () => {
      for (const [path, allowed] of methods) {
        app.all(path, (_request, response) => {
          response.setHeader('allow', allowed.join(', '));
          throw coded('request.method_not_allowed');
        });
      }
    },
  };
};
