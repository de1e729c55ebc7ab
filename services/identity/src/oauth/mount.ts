import type { Identify } from '@shortlist/kit/http/router';
import { assertRole } from '@shortlist/kit/http/router';
import type { Express } from 'express';
import type Provider from 'oidc-provider';

/** The addresses of the library that bff passes on. Its pages have none. */
const ROUTES = [
  ['get', '/oauth/authorize'],
  ['get', '/oauth/authorize/:uid'],
  ['post', '/oauth/token'],
  ['post', '/oauth/device'],
  ['post', '/oauth/revoke'],
  ['get', '/.well-known/oauth-authorization-server'],
] as const;

/** Serves the authorization server to bff. The service token takes the place in which a client could send a secret. */
export const mountAuthorizationServer = (app: Express, provider: Provider, identify: Identify): void => {
  const respond = provider.callback();
  const { protocol, host } = new URL(provider.issuer);
  for (const [method, path] of ROUTES)
    app[method](path, async (request, response) => {
      assertRole(['anonymous'], await identify(request));
      delete request.headers.authorization;
      // The library makes addresses from those of the request, which are bff's view of us.
      Object.assign(request.headers, {
        'x-forwarded-proto': protocol.slice(0, -1),
        'x-forwarded-host': host,
      });
      await respond(request, response);
    });
};
