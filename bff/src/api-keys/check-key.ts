import { apiKeyEndpoints } from '@shortlist/contracts/api/api-keys';
import { dayOf } from '@shortlist/contracts/schemas/parts';
import { asService } from '@shortlist/kit/http/http-client';
import type { Clock } from '@shortlist/kit/process/clock';
import { AppError, createError } from '@shortlist/kit/process/errors';
import type { Log } from '@shortlist/kit/process/log';
import { storedNetworkOf } from '../limits/attempt-limit.ts';
import type { Services } from '../upstream/services.ts';
import { hashOfKey, type KeyEnvironment, tagOfKey } from './key.ts';
import type { Counted, KeyStore, KeyUse, StoredKey } from './key-store.ts';

/** A tool that acts for a user. */
export type Client = Omit<StoredKey, 'restriction'>;

/** What is left of a limit, until `seconds` have passed. */
export type Allowance = { limit: number; left: number; isOver: boolean; seconds: number };
type Checked = { client: Client; ofKey: Allowance; ofUser: Allowance };

/** Throws `client.key_refused`, `client.restricted`, and `session.unavailable` without Redis. Counts the request. */
export type CheckKey = (key: string, address: string) => Promise<Checked>;

/** Requests of one key, and of all keys of its user, in a minute. */
type KeyLimits = { ofKey: number; ofUser: number };

type Parts = {
  keyStore: KeyStore;
  services: Services;
  environment: KeyEnvironment;
  limits: KeyLimits;
  clock: Clock;
  log: Log;
};

/** A key is read from identity again when its user changes something at the same time. */
const TRIES = 3;

const isUnknownKey = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'identity.api_key_not_found';

/** Reads whose key it is. Throws `client.key_refused`. */
const readOwner = async ({ services }: Parts, hash: string): Promise<StoredKey> => {
  try {
    return (await services.identity(apiKeyEndpoints.findKeyOwner, { hash }, asService())).data;
  } catch (error) {
    throw isUnknownKey(error) ? createError('client.key_refused') : error;
  }
};

const assertUsable = ({ restriction, expiresAt }: StoredKey, now: Date): void => {
  if (expiresAt !== null && Date.parse(expiresAt) <= now.getTime()) throw createError('client.key_refused');
  if (restriction !== null) throw createError('client.restricted');
};

const allowanceOf = (limit: number, { requests, leftMs }: Counted['ofKey']): Allowance => ({
  limit,
  left: Math.max(0, limit - requests),
  isOver: requests > limit,
  seconds: Math.max(1, Math.ceil(leftMs / 1_000)),
});

/** Not awaited: a request does not depend on it. */
const recordUse = ({ services, log }: Parts, keyId: string, use: KeyUse): void => {
  services
    .identity(apiKeyEndpoints.recordKeyUse, { keyId, ...use }, asService())
    .catch((error: unknown) => log.warn({ err: error }, 'the use of an API key was not recorded'));
};

const countRequest = async (
  parts: Parts,
  name: { tag: string; hash: string },
  use: KeyUse,
): Promise<Counted> => {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const counted = await parts.keyStore.count(name, use);
    if ('key' in counted) return counted;
    await parts.keyStore.store(name, counted.edition, await readOwner(parts, name.hash));
  }
  throw createError('session.unavailable', { retryAfterSeconds: 1 });
};

export const createCheckKey =
  (parts: Parts): CheckKey =>
  async (key, address) => {
    const { environment, limits, clock } = parts;
    const tag = tagOfKey(environment, key);
    if (tag === null) throw createError('client.key_refused');
    const now = clock();
    const use = { day: dayOf(now), network: storedNetworkOf(address) };
    const {
      key: client,
      isNewUse,
      ...counted
    } = await countRequest(parts, { tag, hash: hashOfKey(key) }, use);
    assertUsable(client, now);
    if (isNewUse) recordUse(parts, client.id, use);
    return {
      client,
      ofKey: allowanceOf(limits.ofKey, counted.ofKey),
      ofUser: allowanceOf(limits.ofUser, counted.ofUser),
    };
  };
