import type Joi from 'joi';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** An HTTP endpoint: method, path with `:name` parameters, and for the compiler the types of its merged input and of its response. */
export type Endpoint<Input, Reply> = {
  method: Method;
  path: string;
  readonly types?: (input: Input) => Reply;
};

/** Who sends a request to a service. `service`: another service on its own behalf. */
export type CallerRole = 'anonymous' | 'user' | 'admin' | 'service';

/** What a request stands on, such as the sessions of an account since their last end. Once `id` has ended with a higher version, it is over. */
export type Right = { id: string; version: number };

/** No input, or nothing in a reply. */
export type None = Record<never, never>;

export type Operation<Input, Reply> = Endpoint<Input, Reply> & {
  roles: readonly CallerRole[];
  /** The parameter by which a user may only name themself. */
  self: string | null;
  /** Whether an admin, too, may only name themself. */
  selfOnly: boolean;
  /** Whether a change compares the rights of its caller before it commits. False where the caller's own right ends anyway. */
  comparesRights: boolean;
  status: number;
  schema: Joi.ObjectSchema;
  /** Of a success; null for a file. Tests compare replies with it. */
  replySchema: Joi.Schema | null;
};

/** Fills the parameters of `path` in, escaped, and returns the names it used. Throws a TypeError when one is missing. */
export const fillPath = (
  path: string,
  input: Record<string, unknown>,
): { path: string; used: Set<string> } => {
  const used = new Set<string>();
  const filled = path.replace(/:([a-zA-Z]+)/g, (_, name: string) => {
    const value = input[name];
    if (typeof value !== 'string' && typeof value !== 'number')
      throw new TypeError(`${path} needs the parameter ${name}`);
    used.add(name);
    return encodeURIComponent(value);
  });
  return { path: filled, used };
};

// What a request stands on. identity ends a right by publishing its id with a version: rights of lower versions have ended.

/** The sessions of an account, by the generation in which they began. */
export const accountRight = (accountId: string, generation: number): Right => ({
  id: `account:${accountId}`,
  version: generation,
});

/** What an admin may do, by the version of the admin's access. */
export const adminRight = (adminId: string, version: number): Right => ({ id: `admin:${adminId}`, version });

/** An app, by the generation in which it was connected. */
export const toolRight = (toolId: string, generation: number): Right => ({
  id: `tool:${toolId}`,
  version: generation,
});

/** What ends once and for all. */
type Ending = 'session' | 'key' | 'connection';

export const rightTo = (kind: Ending, id: string): Right => ({ id: `${kind}:${id}`, version: 0 });

/** The version below which such a right has ended. */
export const endOf = (kind: Ending, id: string): Right => ({ ...rightTo(kind, id), version: 1 });
