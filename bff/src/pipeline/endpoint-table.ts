import createMatcher, { type HTTPMethod } from 'find-my-way';
import type { PublicEndpoint } from './public-endpoint.ts';

export type Match = { endpoint: PublicEndpoint; params: Record<string, string> };

export type EndpointTable = {
  /** The endpoint of a method and a path, or null. HEAD is looked up as GET. */
  find: (method: string | undefined, path: string) => Match | null;
  /** The methods that a path has; empty for an unknown path. */
  methodsOf: (path: string) => string[];
};

const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const;

/** The paths of an endpoint: those under /api/ have one; the others also have one with that prefix (docs/product.md). */
const pathsOf = (path: string): string[] => (path.startsWith('/api/') ? [path] : [path, `/api${path}`]);

/** Matches methods and paths with the declared endpoints. Paths are case-sensitive, without optional slashes. */
export const createEndpointTable = (endpoints: readonly PublicEndpoint[]): EndpointTable => {
  const matcher = createMatcher({ maxParamLength: 2_048 });
  const none = (): void => undefined;
  for (const endpoint of endpoints)
    for (const path of pathsOf(endpoint.path)) matcher.on(endpoint.method, path, none, endpoint);

  const find: EndpointTable['find'] = (method, path) => {
    const match = matcher.find((method === 'HEAD' ? 'GET' : method) as HTTPMethod, path);
    if (match === null) return null;
    return { endpoint: match.store as PublicEndpoint, params: match.params as Record<string, string> };
  };
  return { find, methodsOf: (path) => METHODS.filter((method) => find(method, path) !== null) };
};
