// A key is a secret of its user. Pages of other sites may read with it, but not charge: what they are given can be taken from them. Extensions
// are installed by the user, and have an origin of their own.
import { inSeconds, hours } from '@shortlist/contracts/durations';
import { createError } from '@shortlist/kit/process/errors';
import type { Router } from 'express';
import type { ClientRoute, Step } from '../http/endpoint.ts';

const EXTENSION = /^(chrome|moz|safari-web)-extension:\/\/[\w-]+$/;

/** Whether a page of this origin may call the endpoint. */
const isAllowed = ({ scope }: ClientRoute, origin: string, own: string): boolean =>
  scope !== 'credits:charge' || origin === own || EXTENSION.test(origin);

const EXPOSED = ['etag', 'ratelimit', 'ratelimit-policy', 'retry-after', 'x-request-id'].join(', ');

/** Tells the browser which pages may read the response. Throws `client.origin_refused` for those that may not call. */
export const allowOrigin =
  (endpoint: ClientRoute, own: string): Step =>
  ({ headers: { origin } }, response, next) => {
    response.appendHeader('vary', 'origin');
    if (origin !== undefined) {
      if (!isAllowed(endpoint, origin, own)) throw createError('client.origin_refused');
      response.set({ 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED });
    }
    next();
  };

const PREFLIGHT = {
  'access-control-allow-headers': 'authorization, content-type, idempotency-key, if-none-match, traceparent',
  'access-control-max-age': String(inSeconds(hours(1))),
};

/** Responds to the requests by which browsers ask ahead. */
export const addPreflights = (router: Router, endpoints: readonly ClientRoute[], own: string): void => {
  for (const endpoint of endpoints)
    router.options(endpoint.path, allowOrigin(endpoint, own), (request, response, next) => {
      if (request.headers['access-control-request-method'] !== endpoint.method) return next();
      response
        .set({ ...PREFLIGHT, 'access-control-allow-methods': endpoint.method })
        .status(204)
        .end();
    });
};
