import { apiKeyEndpoints } from '@shortlist/contracts/api/api-keys';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { createKey, type KeyEnvironment } from '../api-keys/key.ts';
import type { KeyStore } from '../api-keys/key-store.ts';
import { composed, type Route } from '../http/endpoint.ts';
import type { Services } from '../upstream/services.ts';
import type { AssertVerified } from './sign-up.ts';

type Parts = {
  services: Services;
  keyStore: KeyStore;
  environment: KeyEnvironment;
  assertVerified: AssertVerified;
};

/** The keys that a user makes for tools. Nobody but the user ever has a key: identity stores its hash. */
export const ownApiKeyEndpoints = ({ services, keyStore, environment, assertVerified }: Parts): Route[] => [
  composed(publicEndpoints.createApiKey, async ({ input, userId, caller }) => {
    await assertVerified('api_keys', caller);
    const { key, ...stored } = createKey(environment, userId);
    const { data } = await services.identity(
      apiKeyEndpoints.createApiKey,
      { userId, ...input, ...stored },
      { caller },
    );
    return { data, key };
  }),

  composed(publicEndpoints.revokeApiKey, async ({ input: { keyId }, userId, caller }) => {
    const reply = await services.identity(apiKeyEndpoints.revokeApiKey, { userId, keyId }, { caller });
    await keyStore.forget(userId);
    return reply;
  }),
];
