import { apiKeyEndpoints } from '@shortlist/contracts/api/api-keys';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { days } from '@shortlist/contracts/durations';
import type { Redis } from '@shortlist/kit/data/redis';
import { createKey, type KeyEnvironment } from '../api-keys/key.ts';
import type { KeyStore } from '../api-keys/key-store.ts';
import { composed, type Route } from '../http/endpoint.ts';
import { createAttemptLimit } from '../limits/attempt-limit.ts';
import type { Services } from '../upstream/services.ts';
import type { AssertVerified } from './sign-up.ts';

type Parts = {
  services: Services;
  keyStore: KeyStore;
  redis: Redis;
  environment: KeyEnvironment;
  assertVerified: AssertVerified;
};

/** Each new key causes a mail, and a deleted one stays in the list of the history. */
const NEW_KEYS = { name: 'new-api-keys', attempts: 50, windowMs: days(1), withoutRedis: 'refuse' } as const;

/** The keys that a user makes for tools. Nobody but the user ever has a key: identity stores its hash. */
export const ownApiKeyEndpoints = (parts: Parts): Route[] => {
  const { services, keyStore, redis, environment, assertVerified } = parts;
  const newKeys = createAttemptLimit(redis, NEW_KEYS);
  return [
    composed(publicEndpoints.createApiKey, async ({ input, userId, caller }) => {
      await assertVerified('api_keys', caller);
      await newKeys.consume(userId);
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
};
