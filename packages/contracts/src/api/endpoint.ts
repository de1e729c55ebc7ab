import type Joi from 'joi';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** An HTTP endpoint: method, path with `:name` parameters, and the types of its merged input and its response. */
export type Endpoint<Input, Reply> = {
  method: Method;
  path: string;
  readonly types?: (input: Input) => Reply;
};

/** Who sends a request to a service. `service`: another service on its own behalf. */
export type CallerRole = 'anonymous' | 'user' | 'admin' | 'service';

/**
 * A right that a request depends on, such as the sessions of an account since they were last ended. It has ended once `id` was ended with a
 * higher version.
 */
export type Right = { id: string; version: number };

/** No input, or nothing in a reply. */
export type None = Record<never, never>;

export type Operation<Input, Reply> = Endpoint<Input, Reply> & {
  roles: readonly CallerRole[];
  /** The parameter in which a user may only name themself. */
  self: string | null;
  /** Whether that also applies to an admin. */
  selfOnly: boolean;
  /** Whether a change checks the caller's rights before it commits. False where the change itself ends the caller's right. */
  comparesRights: boolean;
  status: number;
  schema: Joi.ObjectSchema;
  /** The schema of a successful reply; null for a file. Only tests validate replies. */
  replySchema: Joi.Schema | null;
};

/** Fills in the parameters of `path`, escaped, and returns the names it used. Throws a TypeError if one is missing. */
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

// The rights that requests depend on. identity ends a right by publishing its id with a version: rights of lower versions have ended.

/** The sessions of an account, by the generation in which they began. */
export const accountRight = (accountId: string, generation: number): Right => ({
  id: `account:${accountId}`,
  version: generation,
});

/** The permissions of an admin, by the version of the admin's access. */
export const adminRight = (adminId: string, version: number): Right => ({ id: `admin:${adminId}`, version });

/** An app, by the generation in which it was connected. */
export const toolRight = (toolId: string, generation: number): Right => ({
  id: `tool:${toolId}`,
  version: generation,
});

/** Rights that end permanently. */
type Ending = 'session' | 'key' | 'connection';

export const rightTo = (kind: Ending, id: string): Right => ({ id: `${kind}:${id}`, version: 0 });

/** The version with which such a right ends. */
export const endOf = (kind: Ending, id: string): Right => ({ ...rightTo(kind, id), version: 1 });
