import {
  apiKeyEndpoints,
  connectionEndpoints,
  type RequestReference,
} from '@shortlist/contracts/api/connected-apps';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { days, hours } from '@shortlist/contracts/durations';
import type { Redis } from '@shortlist/kit/data/redis';
import { AppError, createError } from '@shortlist/kit/process/errors';
import type { KeyStore } from '../api-keys/key-store.ts';
import { createKey, type KeyEnvironment } from '../api-keys/key.ts';
import { composed, type Exchange, type Route } from '../http/endpoint.ts';
import type { Services } from '../services.ts';
import { type AttemptLimit, createAttemptLimit, networkOf } from '../limits/attempt-limit.ts';
import { type FindPlace, originOf } from '../http/sign-in-origin.ts';
import type { RequestCookie } from '../oauth/request-cookie.ts';
import type { AssertVerified } from './sign-up.ts';

type Parts = {
  services: Services;
  keyStore: KeyStore;
  redis: Redis;
  assertVerified: AssertVerified;
};

/** Each new key causes a mail, and a deleted one stays in the list of the history. */
const NEW_KEYS = { name: 'new-api-keys', attempts: 50, windowMs: days(1), withoutRedis: 'refuse' } as const;

/** The keys that a user makes for apps. Only the user ever has a key: identity stores its hash. */
export const ownApiKeyEndpoints = (parts: Parts & { environment: KeyEnvironment }): Route[] => {
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

/** Each new connection causes a mail, and an ended one stays in the list of the history. */
const NEW_CONNECTIONS = {
  name: 'new-connections',
  attempts: 50,
  windowMs: days(1),
  withoutRedis: 'refuse',
} as const;

/**
 * Wrong codes of one user, and of one network, of which a user has a tenth: eight of twenty letters, each good for ten minutes (RFC 8628,
 * 5.1).
 */
const WRONG_OF_USER = {
  name: 'wrong-codes',
  attempts: 20,
  windowMs: hours(1),
  withoutRedis: 'refuse',
} as const;
const WRONG_OF_NETWORK = { ...WRONG_OF_USER, name: 'wrong-codes-of-network', attempts: 200 } as const;

/**
 * Throws unless a request of a browser began in this one: a person who began it elsewhere would get what the user approves. A device has a code
 * instead, which the user compares.
 */
const assertOwnRequest = (
  cookie: RequestCookie,
  { request: id }: RequestReference,
  { request }: Exchange,
): void => {
  if (!cookie.has(request, id)) throw createError('identity.request_elsewhere');
};

const isWrongCode = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'identity.request_unknown';

/** Counts a wrong code before it is compared, in one step with the comparison. */
const createCodeLimit = (redis: Redis) => {
  const limits = [createAttemptLimit(redis, WRONG_OF_USER), createAttemptLimit(redis, WRONG_OF_NETWORK)];
  return async <Reply>(keys: readonly string[], work: () => Promise<Reply>): Promise<Reply> => {
    const counted: [AttemptLimit, string][] = [];
    const refund = () => Promise.all(counted.map(([limit, key]) => limit.refund(key)));
    try {
      for (const [index, limit] of limits.entries()) {
        const key = keys[index] ?? '';
        await limit.consume(key);
        counted.push([limit, key]);
      }
      const reply = await work();
      await refund();
      return reply;
    } catch (error) {
      if (!isWrongCode(error)) await refund();
      throw error;
    }
  };
};

type Asked = Exchange & { input: RequestReference; userId: string };

type ConnectionParts = Parts & { findPlace: FindPlace; requestCookie: RequestCookie };

/** The apps that a user connects. */
export const ownConnectionEndpoints = (parts: ConnectionParts): Route[] => {
  const { services, keyStore, redis, assertVerified, requestCookie } = parts;
  const { identity } = services;
  const limitNew = createAttemptLimit(redis, NEW_CONNECTIONS);
  const limitCodes = createCodeLimit(redis);

  const withRequest = <Reply>(asked: Asked, work: () => Promise<Reply>): Promise<Reply> => {
    if (asked.input.source === 'browser') {
      assertOwnRequest(requestCookie, asked.input, asked);
      return work();
    }
    return limitCodes([asked.userId, networkOf(asked.address)], work);
  };

  return [
    composed(publicEndpoints.findConnectionRequest, (asked) => {
      const { input, userId, caller } = asked;
      return withRequest(asked, () =>
        identity(connectionEndpoints.findConnectionRequest, { userId, ...input }, { caller }),
      );
    }),

    composed(publicEndpoints.approveConnection, async (asked) => {
      const { input, userId, caller } = asked;
      await assertVerified('api_keys', caller);
      await limitNew.consume(userId);
      const order = { userId, ...input, origin: originOf(parts.findPlace, asked) };
      return withRequest(asked, () =>
        identity(connectionEndpoints.approveConnectionRequest, order, { caller }),
      );
    }),

    composed(publicEndpoints.denyConnection, (asked) => {
      const { input, userId, caller } = asked;
      return withRequest(asked, () =>
        identity(connectionEndpoints.denyConnectionRequest, { userId, ...input }, { caller }),
      );
    }),

    composed(publicEndpoints.endConnection, async ({ input: { connectionId }, userId, caller }) => {
      const reply = await identity(connectionEndpoints.endConnection, { userId, connectionId }, { caller });
      await keyStore.forget(userId);
      return reply;
    }),
  ];
};

/** Support ends a key or a connection of a user. */
export const userAccessEndpoints = ({
  services,
  keyStore,
}: Pick<Parts, 'services' | 'keyStore'>): Route[] => [
  composed(publicEndpoints.endUserKey, async ({ input, caller }) => {
    const reply = await services.identity(apiKeyEndpoints.revokeApiKey, input, { caller });
    await keyStore.forget(input.userId);
    return reply;
  }),

  composed(publicEndpoints.endUserConnection, async ({ input, caller }) => {
    const reply = await services.identity(connectionEndpoints.endConnection, input, { caller });
    await keyStore.forget(input.userId);
    return reply;
  }),
];
