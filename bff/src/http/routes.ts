import { createError } from '@shortlist/kit/process/errors';
import express, { type Express, type IRouter, type Router } from 'express';
import type { Route, Step } from './endpoint.ts';

/** An application whose paths are case-sensitive, without optional slashes. */
export const createApp = (trustedProxies: string[]): Express => {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.set('query parser', 'simple');
  app.set('trust proxy', trustedProxies);
  return app;
};

/** A router with the same rules, for a part of the application. */
export const createRouter = (): Router => express.Router({ caseSensitive: true, strict: true });

const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const;

/** The paths of an endpoint: those under /api/ have one; the others also have one with that prefix (docs/product.md). */
const pathsOf = (path: string): string[] => (path.startsWith('/api/') ? [path] : [path, `/api${path}`]);

/** The last step of an endpoint. */
export const respond =
  ({ respond: respondTo }: Route): Step =>
  (request, response) => {
    const { url, visitor } = response.locals;
    return respondTo({ request, response, url, params: request.params, ...visitor });
  };

/**
 * Adds the endpoints, each with its steps. Those whose paths have no parameters are looked up: Express compares a request with every path
 * in turn, which for the last of two hundred costs more than the steps of the endpoint.
 */
export const addEndpoints = <Endpoint extends Route>(
  app: IRouter,
  endpoints: readonly Endpoint[],
  stepsOf: (endpoint: Endpoint) => Step[],
): void => {
  const exact = new Map<string, Router>();
  app.use((request, response, next) => {
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const found = exact.get(`${method} ${request.path}`);
    if (found) found(request, response, next);
    else next();
  });
  for (const endpoint of endpoints) {
    const paths = pathsOf(endpoint.path);
    if (endpoint.path.includes(':')) {
      const method = endpoint.method.toLowerCase() as 'get' | 'post' | 'put' | 'delete';
      app[method](paths, ...stepsOf(endpoint));
      continue;
    }
    const router = express.Router().use(...stepsOf(endpoint));
    for (const path of paths) exact.set(`${endpoint.method} ${path}`, router);
  }
};

/** Responds `request.method_not_allowed` with the methods that the path has, if it has any. */
export const refuseOtherMethods = (
  app: Express,
  endpoints: readonly Pick<Route, 'path' | 'method'>[],
): void => {
  const allowed = Symbol('allowed methods');
  for (const { path, method } of endpoints)
    // Not app.all, which makes a layer for each method that HTTP knows.
    app.route(pathsOf(path)).all((_request, { locals }, next) => {
      const methods = locals as Record<symbol, Set<string>>;
      (methods[allowed] ??= new Set()).add(method);
      next();
    });
  app.use((_request, response, next) => {
    const methods = (response.locals as Record<symbol, Set<string> | undefined>)[allowed];
    if (methods === undefined) return next();
    response.setHeader('allow', METHODS.filter((method) => methods.has(method)).join(', '));
    throw createError('request.method_not_allowed');
  });
};

export const refuseUnknown: Step = () => {
  throw createError('request.not_found');
};
