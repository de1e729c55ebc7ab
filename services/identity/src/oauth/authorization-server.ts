// OAuth 2.1 for apps that many people install: oidc-provider, limited to the authorization code grant with PKCE, the device grant, rotating
// refresh tokens and revocation. Clients have no secret, access tokens are opaque, and there is no ID token.
import { generateKeyPairSync } from 'node:crypto';
import { CLIENT_ORIGIN_HEADER, deviceName, SCOPES } from '@shortlist/contracts/api/connected-apps';
import { days, hours, inSeconds, minutes } from '@shortlist/contracts/durations';
import { CONNECTION_DAYS, CONNECTION_REQUEST_MINUTES } from '@shortlist/contracts/limits';
import type { Db, SharedClock } from '@shortlist/kit/data/db';
import { assertRole, type Identify } from '@shortlist/kit/http/router';
import type { Clock } from '@shortlist/kit/process/clock';
import type { Log } from '@shortlist/kit/process/log';
import type { Express } from 'express';
import { findDeletion } from '../accounts/deletion-queries.ts';
import { findAccount } from '../accounts/queries.ts';
import { createAdapter } from './adapter.ts';
import { addMetadata, SESSION_COOKIE, slowDown, tagAccessTokens, withoutSession } from './middleware.ts';
import Provider, {
  type Configuration,
  errors,
  interactionPolicy,
  type JWK,
  type KoaContextWithOIDC,
} from 'oidc-provider';

type Parts = { db: Db; clock: Clock; sharedClock: SharedClock; log: Log; publicUrl: string };

/** Every request needs the user's approval, regardless of earlier consent to the same app. */
const ALWAYS_ASK = new interactionPolicy.Prompt(
  { name: 'consent', requestable: true },
  new interactionPolicy.Check('not_asked', 'the user has not decided', 'consent_required', ({ oidc }) =>
    oidc.result?.consent === undefined
      ? interactionPolicy.Check.REQUEST_PROMPT
      : interactionPolicy.Check.NO_NEED_TO_PROMPT,
  ),
);

/** Far longer than a random value and a URL. */
const STATE_MAX = 512;

/** The library accepts more parameters than we offer and store. */
const assertParameters = ({ method, query, oidc }: KoaContextWithOIDC): void => {
  const { scope, state = '', response_mode: mode } = (method === 'GET' ? query : oidc.body) as Params;
  if (state.length > STATE_MAX)
    throw new errors.InvalidRequest(`state is longer than ${STATE_MAX} characters`);
  // The response is never sent in another mode, not even for this error.
  if (mode !== undefined && mode !== 'query')
    throw Object.assign(new errors.InvalidRequest('response_mode is not query'), { allow_redirect: false });
  assertScopes(scope);
};

type Params = { scope?: string; state?: string; response_mode?: string };

/** The library silently drops unknown scopes, but the app's developer should notice them before a user does. */
const assertScopes = (scope: string | undefined): void => {
  if (!scope) throw new errors.InvalidScope('scope is missing', '');
  const unknown = scope.split(' ').find((name) => !SCOPES.some((known) => known === name));
  if (unknown !== undefined) throw new errors.InvalidScope('unknown scope', unknown);
};

const assertDeviceName = (_ctx: KoaContextWithOIDC, name: string | undefined): void => {
  if (deviceName.validate(name).error)
    throw new errors.InvalidRequest('device_name is too long, or not one line');
};

/** The origin of the request, as determined by bff. */
const originOf = (ctx: KoaContextWithOIDC): Record<string, unknown> => {
  const header = ctx.get(CLIENT_ORIGIN_HEADER);
  return header === '' ? {} : (JSON.parse(decodeURIComponent(header)) as Record<string, unknown>);
};

/** A request without a known app or a registered redirect URI ends on our own page: no one is redirected to an unregistered URI. */
const renderError = (ctx: KoaContextWithOIDC, out: { error: string }): void => {
  if (!['authorization', 'resume'].includes(ctx.oidc.route)) {
    ctx.body = out;
    return;
  }
  ctx.status = 303;
  ctx.redirect(`/connect?problem=${encodeURIComponent(out.error)}`);
};

const ROUTES = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  device_authorization: '/oauth/device',
  revocation: '/oauth/revoke',
  // A page of the product.
  code_verification: '/connect',
};

const COOKIES = { interaction: 'oauth_request', resume: 'oauth_resume', session: SESSION_COOKIE };

const FEATURES = {
  deviceFlow: { enabled: true, deviceInfo: originOf },
  revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
  devInteractions: { enabled: false },
  dPoP: { enabled: false },
  pushedAuthorizationRequests: { enabled: false },
  resourceIndicators: { enabled: false },
  rpInitiatedLogout: { enabled: false },
  userinfo: { enabled: false },
} satisfies Configuration['features'];

const REQUEST_SECONDS = inSeconds(minutes(CONNECTION_REQUEST_MINUTES));

const TTL = {
  AccessToken: inSeconds(hours(1)),
  AuthorizationCode: inSeconds(minutes(1)),
  DeviceCode: REQUEST_SECONDS,
  Interaction: REQUEST_SECONDS,
  RefreshToken: inSeconds(days(CONNECTION_DAYS)),
  Session: REQUEST_SECONDS,
  Grant: inSeconds(days(CONNECTION_DAYS)),
} satisfies Configuration['ttl'];

/** The library requires a key for ID tokens, although it issues none here, because there is no scope `openid`. */
const createUnusedKey = (): JWK => ({
  ...(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }) as JWK),
  alg: 'Ed25519',
  use: 'sig',
});

const configurationOf = (parts: Parts): Configuration => ({
  adapter: createAdapter(parts),
  clientAuthMethods: ['none'],
  responseTypes: ['code'],
  scopes: [...SCOPES],
  claims: {},
  pkce: { required: () => true },
  routes: ROUTES,
  features: FEATURES,
  ttl: TTL,
  extraParams: { scope: assertParameters, device_name: assertDeviceName },
  allowOmittingSingleRegisteredRedirectUri: false,
  cookies: {
    names: COOKIES,
    // The page's calls send the cookie that binds a request to its browser.
    short: { httpOnly: true, sameSite: 'lax', path: '/api/connections' },
    long: { httpOnly: true, sameSite: 'lax', path: ROUTES.authorization },
  },
  interactions: {
    policy: [ALWAYS_ASK],
    url: (_ctx, { uid }) => `/connect?request=${uid}`,
  },
  // An account that is about to be deleted keeps its connections and keys, but they do not work.
  findAccount: async (ctx, accountId) => {
    const { manager } = parts.db;
    const account = await findAccount(manager, accountId);
    if (account?.role !== 'user') return undefined;
    // Before the token is used up, because it works again if the account is kept.
    if (ctx.oidc.route === 'token' && (await findDeletion(manager, accountId)) !== null)
      throw new errors.TemporarilyUnavailable('the account is about to be deleted');
    return { accountId, claims: () => ({ sub: accountId }) };
  },
  issueRefreshToken: () => true,
  rotateRefreshToken: true,
  jwks: { keys: [createUnusedKey()] },
  clientDefaults: { id_token_signed_response_alg: 'Ed25519' },
  revokeGrantPolicy: () => true,
  expiresWithSession: () => false,
  renderError,
});

export const createAuthorizationServer = (parts: Parts): Provider => {
  const { log, publicUrl } = parts;
  const provider = new Provider(new URL(publicUrl).origin, configurationOf(parts));
  provider.proxy = true; // bff ends TLS
  addMetadata(provider);
  provider.use(slowDown(parts));
  provider.use(withoutSession);
  provider.use(tagAccessTokens);
  provider.on('server_error', (_ctx, error) => log.error({ err: error }, 'authorization server failed'));
  return provider;
};

/** The library's endpoints that bff forwards. Its pages are not served. */
const SERVED = [
  ['get', '/oauth/authorize'],
  ['get', '/oauth/authorize/:uid'],
  ['post', '/oauth/token'],
  ['post', '/oauth/device'],
  ['post', '/oauth/revoke'],
  ['get', '/.well-known/oauth-authorization-server'],
] as const;

/** Serves the authorization server to bff. The service token is sent where a client could send a secret. */
export const mountAuthorizationServer = (app: Express, provider: Provider, identify: Identify): void => {
  const respond = provider.callback();
  const { protocol, host } = new URL(provider.issuer);
  for (const [method, path] of SERVED)
    app[method](path, async (request, response) => {
      assertRole(['anonymous'], await identify(request));
      delete request.headers.authorization;
      // The library derives URLs from those of the request, which are internal.
      Object.assign(request.headers, {
        'x-forwarded-proto': protocol.slice(0, -1),
        'x-forwarded-host': host,
      });
      await respond(request, response);
    });
};
