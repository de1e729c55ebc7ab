export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * One HTTP door: its method and path (`:name` marks a parameter), with the types of what goes in (path parameters, query
 * and body together) and of what comes back. `Input` and `Reply` exist for the compiler only.
 */
export type Endpoint<Input, Reply> = {
  method: Method;
  path: string;
  readonly types?: (input: Input) => Reply;
};

export const endpoint = <Input, Reply>(method: Method, path: string): Endpoint<Input, Reply> => ({
  method,
  path,
});

/** The path with its parameters filled in and escaped, and the names that were used up. Throws when one is missing. */
export const fillPath = (
  path: string,
  input: Record<string, unknown>,
): { path: string; used: Set<string> } => {
  const used = new Set<string>();
  const filled = path.replace(/:([a-zA-Z]+)/g, (_, name: string) => {
    const value = input[name];
    if (typeof value !== 'string' && typeof value !== 'number') throw new TypeError(`${path} needs ${name}`);
    used.add(name);
    return encodeURIComponent(value);
  });
  return { path: filled, used };
};
