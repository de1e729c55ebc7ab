import { apiKeyEndpoints, connectionEndpoints, type Scope } from '@shortlist/contracts/api/connected-apps';
import { dayOf, minutes } from '@shortlist/contracts/durations';
import { defineScript, type Redis } from '@shortlist/kit/data/redis';
import { hashOfToken, tagOfAccessToken, tagOfUser } from '@shortlist/kit/http/access-token';
import { asService } from '@shortlist/kit/http/http-client';
import type { Clock } from '@shortlist/kit/process/clock';
import { AppError, createError } from '@shortlist/kit/process/errors';
import type { Log } from '@shortlist/kit/process/log';
import {
  type AttemptLimit,
  createAttemptLimit,
  NETWORK_HOLD_MS,
  networkOf,
  storedNetworkOf,
} from '../limits/attempt-limit.ts';
import { LRUCache } from 'lru-cache';
import type { Services } from '../services.ts';
import type { Count, Counted, KeyName, KeyRequest, KeyStore, KeyUse, StoredKey } from './key-store.ts';
import { type KeyEnvironment, tagOfKey } from './key.ts';

/** An app that acts for a user. */
export type Client = Omit<StoredKey, 'restriction'>;

/** What is left of a limit, until `seconds` have passed. */
export type Allowance = { limit: number; left: number; isOver: boolean; seconds: number };

/** What is left to the key and to its user, and for an access token to the user with its app, and to all users of the app together. */
export type Allowances = { key: Allowance; user: Allowance; share?: Allowance; client?: Allowance };
type Checked = { client: Client; mayUse: boolean; allowances: Allowances };

/**
 * Throws `client.key_refused`, `client.token_refused`, `client.restricted`, `request.rate_limited` for a network that sends many unknown
 * ones, and `session.unavailable` without Redis. Counts the request where it is let through.
 */
export type CheckKey = (key: string, request: { address: string; scope: Scope }) => Promise<Checked>;

/** Requests in a minute: of one key or access token, of all of its user, and of one app with all its users. */
type Limits = { ofKey: number; ofUser: number; ofTool: number };

/** The part of an app's requests that one user may make. */
const shareOf = (ofTool: number): number => Math.max(1, Math.floor(ofTool / 10));

/** Counts a request of the app unless it is over `limit`, and returns what is known of those before it. */
type CountTool = (toolId: string, limit: number) => Count;

/** Unknown keys and access tokens of one network: each costs a query. */
const UNKNOWN_KEYS = {
  name: 'unknown-keys',
  attempts: 60,
  windowMs: minutes(1),
  withoutRedis: 'refuse',
  holdMs: NETWORK_HOLD_MS,
} as const;

type Parts = {
  keyStore: KeyStore;
  services: Services;
  redis: Redis;
  environment: KeyEnvironment;
  limits: Limits;
  clock: Clock;
  log: Log;
};
/** Where the owner of a key is looked up. */
type Owners = Pick<Parts, 'keyStore' | 'services'> & { unknownKeys: AttemptLimit };

/** A key is read from identity again when its user changes something at the same time. */
const TRIES = 3;

const REFUSED = { key: 'client.key_refused', token: 'client.token_refused' } as const;
const UNKNOWN: readonly string[] = ['identity.api_key_not_found', 'identity.token_not_found'];

const isUnknown = (error: unknown): boolean => error instanceof AppError && UNKNOWN.includes(error.code);

/** Throws `client.key_refused` for a text that is neither a key of this environment nor an access token. */
const credentialIn = (environment: KeyEnvironment, text: string): KeyName => {
  const hash = hashOfToken(text);
  const tokenTag = tagOfAccessToken(text);
  if (tokenTag !== null) return { kind: 'token', tag: tokenTag, hash };
  const keyTag = tagOfKey(environment, text);
  if (keyTag === null) throw createError('client.key_refused');
  return { kind: 'key', tag: keyTag, hash };
};

/** Reads for whom the key or the token acts. Throws `client.key_refused` and `client.token_refused`. */
const readOwner = async ({ services }: Owners, { kind, hash, tag }: KeyName): Promise<StoredKey> => {
  const { identity } = services;
  try {
    if (kind === 'token') {
      const { data } = await identity(connectionEndpoints.findTokenOwner, { hash }, asService());
      // The tag is not part of the secret. With another user's tag, the end of the connection would not be noticed at once.
      if (tagOfUser(data.userId) !== tag) throw createError('client.token_refused');
      return data;
    }
    const { data } = await identity(apiKeyEndpoints.findKeyOwner, { hash }, asService());
    return { ...data, toolId: null, toolGeneration: 0 };
  } catch (error) {
    throw isUnknown(error) ? createError(REFUSED[kind]) : error;
  }
};

const assertUsable = ({ restriction, expiresAt }: StoredKey, kind: KeyName['kind'], now: Date): void => {
  if (expiresAt !== null && Date.parse(expiresAt) <= now.getTime()) throw createError(REFUSED[kind]);
  if (restriction !== null) throw createError('client.restricted');
};

const allowanceOf = (limit: number, { requests, leftMs }: Count): Allowance => ({
  limit,
  left: Math.max(0, limit - requests),
  isOver: requests > limit,
  seconds: Math.max(1, Math.ceil(leftMs / 1_000)),
});

/** Not awaited: a request does not depend on it. */
const recordUse = ({ services, log }: Parts, { id, toolId }: Client, use: KeyUse): void => {
  const { identity } = services;
  const recorded =
    toolId === null
      ? identity(apiKeyEndpoints.recordKeyUse, { keyId: id, ...use }, asService())
      : identity(connectionEndpoints.recordConnectionUse, { connectionId: id, ...use }, asService());
  recorded.catch((error: unknown) =>
    log.warn({ err: error }, 'the use of a key or connection was not recorded'),
  );
};

/** Reads the owner of a key that is not stored, unless the network has sent too many unknown ones; only those count. */
const readOwnerFor = async (owners: Owners, credential: KeyName, address: string): Promise<StoredKey> => {
  const network = networkOf(address);
  await owners.unknownKeys.consume(network);
  let isRefused = false;
  try {
    return await readOwner(owners, credential);
  } catch (error) {
    isRefused = error instanceof AppError && error.code === REFUSED[credential.kind];
    throw error;
  } finally {
    if (!isRefused) await owners.unknownKeys.refund(network);
  }
};

const countRequest = async (
  owners: Owners,
  credential: KeyName,
  { address, ...request }: KeyRequest & { address: string },
): Promise<Counted> => {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const counted = await owners.keyStore.count(credential, request);
    if ('key' in counted) return counted;
    const owner = await readOwnerFor(owners, credential, address);
    await owners.keyStore.store(credential, counted.edition, owner);
  }
  throw createError('session.unavailable', { retryAfterSeconds: 1 });
};

export const createCheckKey = (parts: Parts): CheckKey => {
  const { redis, environment, limits, clock } = parts;
  const owners: Owners = { ...parts, unknownKeys: createAttemptLimit(redis, UNKNOWN_KEYS) };
  const countTool = createToolCounter(redis, clock);
  const ofShare = shareOf(limits.ofTool);
  return async (text, { address, scope }) => {
    const credential = credentialIn(environment, text);
    const now = clock();
    const use = { day: dayOf(now), network: storedNetworkOf(address) };
    const request = { use, scope, limits: { ...limits, ofShare }, address };
    const { key: client, isNewUse, ...counted } = await countRequest(owners, credential, request);
    assertUsable(client, credential.kind, now);
    if (isNewUse) recordUse(parts, client, use);
    const allowances: Allowances = {
      key: allowanceOf(limits.ofKey, counted.ofKey),
      user: allowanceOf(limits.ofUser, counted.ofUser),
      ...(counted.ofShare && { share: allowanceOf(ofShare, counted.ofShare) }),
    };
    const mayUse = client.scopes.includes(scope);
    const isLetThrough = mayUse && Object.values(allowances).every(({ isOver }) => !isOver);
    // A request that is refused to one user does not count for the app.
    if (client.toolId !== null && isLetThrough)
      allowances.client = allowanceOf(limits.ofTool, countTool(client.toolId, limits.ofTool));
    return { client, mayUse, allowances };
  };
};

const TOOL_WINDOW_MS = minutes(1);

const COUNT_TOOL = `
local requests = redis.call('INCR', KEYS[1])
if requests == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return {requests, redis.call('PTTL', KEYS[1])}`;

type Known = { requests: number; ends: number };

/**
 * Counts the requests of one app with all of its users. Their keys in Redis are on other nodes than those of a user, and one key of an app
 * that everybody uses is busy: so a request does not wait for its count. It is compared with the last one that this process knows, which
 * is as old as one round trip.
 */
const createToolCounter = (redis: Redis, clock: Clock): CountTool => {
  const run = defineScript<[requests: number, leftMs: number]>(redis, 'countTool', {
    keys: 1,
    lua: COUNT_TOOL,
  });
  const counts = new LRUCache<string, Known>({ max: 10_000 });
  const count = async (toolId: string): Promise<void> => {
    const [requests, leftMs] = await run([`tool-requests:{${toolId}}`], [TOOL_WINDOW_MS]);
    counts.set(toolId, { requests, ends: clock().getTime() + leftMs });
  };
  return (toolId, limit) => {
    const now = clock().getTime();
    const known = counts.get(toolId);
    const { requests, ends } =
      known && known.ends > now ? known : { requests: 0, ends: now + TOOL_WINDOW_MS };
    if (requests >= limit) return { requests: requests + 1, leftMs: ends - now };
    // Without Redis no request gets this far. A lost count lets one more request through.
    count(toolId).catch(() => undefined);
    return { requests: requests + 1, leftMs: ends - now };
  };
};
