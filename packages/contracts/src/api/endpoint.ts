export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * An HTTP endpoint: its method and path (`:name` marks a path parameter), with the types of its input (path parameters, query
 * and body merged) and of its response. `Input` and `Reply` exist for the compiler only.
 */
export type Endpoint<Input, Reply> = {
  method: Method;
  path: string;
  readonly types?: (input: Input) => Reply;
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
