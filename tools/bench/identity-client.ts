import { createServiceClient, type ServiceClient } from '@shortlist/kit/http/http-client';
import { createServicePool } from '@shortlist/kit/http/service-pool';
import { createTokenSigner } from '@shortlist/kit/http/service-token';
import type { System } from '@shortlist/local/system';

/** Calls identity as bff does, without bff. */
export const createIdentityClient = ({ secrets, urls }: System): ServiceClient => {
  const [id = '', secret = ''] = secrets.IDENTITY_TOKEN_KEYS.split(':');
  const sign = createTokenSigner({ keys: { identity: [{ id, secret }] }, clock: () => new Date() });
  return createServiceClient({ audience: 'identity', pool: createServicePool(urls.identity), sign });
};
