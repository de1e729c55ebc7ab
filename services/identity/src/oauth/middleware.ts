// Additions to the responses of oidc-provider.
import { SCOPES } from '@shortlist/contracts/api/connected-apps';
import { seconds } from '@shortlist/contracts/durations';
import type { Db, SharedClock } from '@shortlist/kit/data/db';
import { accessTokenOf, hashOfToken } from '@shortlist/kit/http/access-token';
import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import { findArtifact, markPolled } from './queries.ts';

type Middleware = (ctx: KoaContextWithOIDC, next: () => Promise<void>) => Promise<void>;

/** The published metadata, without OpenID Connect, which we do not offer. Source: RFC 8414, section 2. */
const NAMES = [
  'issuer',
  'authorization_endpoint',
  'token_endpoint',
  'revocation_endpoint',
  'device_authorization_endpoint',
  'response_types_supported',
  'grant_types_supported',
  'token_endpoint_auth_methods_supported',
  'code_challenge_methods_supported',
  'authorization_response_iss_parameter_supported',
] as const;

/** Adds the metadata that the library lacks. */
export const addMetadata = (provider: Provider): void => {
  provider.use(async (ctx: KoaContextWithOIDC, next) => {
    await next();
    if (ctx.path !== '/.well-known/oauth-authorization-server' || ctx.status !== 200) return;
    const all = ctx.body as Record<string, unknown>;
    ctx.body = {
      ...Object.fromEntries(NAMES.map((name) => [name, all[name]])),
      scopes_supported: SCOPES,
      response_modes_supported: ['query'],
      revocation_endpoint_auth_methods_supported: ['none'],
      service_documentation: `${provider.issuer}/api/v1/reference`,
    };
  });
};

/** The polling interval, the default of RFC 8628 (3.2), with a little tolerance for the network. */
const INTERVAL_MS = seconds(5);
const TOLERANCE_MS = 500;

/**
 * Turns `authorization_pending` into `slow_down` for an app that polls faster than the interval (RFC 8628, 3.5), which the library does not do.
 */
export const slowDown =
  ({ db, sharedClock }: { db: Db; sharedClock: SharedClock }): Middleware =>
  async (ctx, next) => {
    await next();
    const { error } = (ctx.body ?? {}) as { error?: unknown };
    if (error !== 'authorization_pending') return;
    const key = { model: 'DeviceCode', idHash: hashOfToken(String(ctx.oidc.params?.['device_code'])) };
    const row = await findArtifact(db.manager, key);
    const now = await sharedClock(db.manager);
    await markPolled(db.manager, key, now);
    const polledAt = row?.polledAt?.getTime() ?? 0;
    if (now.getTime() - polledAt >= INTERVAL_MS - TOLERANCE_MS) return;
    ctx.body = { error: 'slow_down', error_description: 'wait five seconds longer between two requests' };
  };

/** Adds the user's tag to access tokens, by which bff finds what it has stored for the user's apps. */
export const tagAccessTokens: Middleware = async (ctx, next) => {
  await next();
  const accountId = ctx.oidc?.route === 'token' ? ctx.oidc.entities.AccessToken?.accountId : undefined;
  if (ctx.status !== 200 || accountId === undefined) return;
  const body = ctx.body as { access_token: string };
  ctx.body = { ...body, access_token: accessTokenOf(accountId, body.access_token) };
};

export const SESSION_COOKIE = 'oauth_session';

/** The library's own session is neither stored nor sent to the browser, so that no request depends on an earlier one. */
export const withoutSession: Middleware = async (ctx, next) => {
  await next();
  const cookies = [ctx.response.headers['set-cookie'] ?? []].flat().map(String);
  ctx.res.removeHeader('set-cookie');
  const kept = cookies.filter((line) => !line.startsWith(`${SESSION_COOKIE}=`));
  if (kept.length > 0) ctx.set('set-cookie', kept);
};
