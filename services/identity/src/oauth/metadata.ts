import { SCOPES } from '@shortlist/contracts/api/api-keys';
import type { KoaContextWithOIDC } from 'oidc-provider';
import type Provider from 'oidc-provider';

/** What the library says of OpenID Connect, which we do not offer, is left out. Source: RFC 8414, section 2. */
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

/** Adds the parts of the metadata that the library does not know. */
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
