// What keys and access tokens may do is read from identity once, and kept in Redis for five minutes, so that a request costs one round trip, as with a
// session. Whatever changes what the keys of a user may do makes Redis forget them: a read that began before that cannot store its result,
// because it names an older edition.
import type { Scope } from '@shortlist/contracts/api/connected-apps';
import { minutes } from '@shortlist/contracts/durations';
import { defineScript, type Redis } from '@shortlist/kit/data/redis';
import { tagOfUser } from '@shortlist/kit/http/access-token';
import { withAvailability } from '../session/session.ts';
import type { Sessions } from '../session/sessions.ts';

export type StoredKey = {
  id: string;
  userId: string;
  scopes: Scope[];
  expiresAt: string | null;
  restriction: 'deletion' | null;
  /** The app with the access token; null for a key, which its user made. */
  toolId: string | null;
  /** That of the app when it was connected; 0 for a key. */
  toolGeneration: number;
};

/** The day (UTC) and the network of a request. */
export type KeyUse = { day: string; network: string };

/** A key, or an access token of an app, by the hash tag in it and its hash. */
export type KeyName = { kind: 'key' | 'token'; tag: string; hash: string };

/** A count of a minute, of which `leftMs` are left. */
export type Count = { requests: number; leftMs: number };
/** `ofShare`: of the user with all installations of one app; null for a key. Only requests that were let through count. */
export type Counted = {
  key: StoredKey;
  ofKey: Count;
  ofUser: Count;
  ofShare: Count | null;
  isNewUse: boolean;
};

/** Requests in a minute. */
export type KeyLimits = { ofKey: number; ofUser: number; ofShare: number };

/** A request: its day and network, and the scope of the endpoint. */
export type KeyRequest = { use: KeyUse; scope: Scope; limits: KeyLimits };

export type KeyStore = {
  /**
   * Counts a request of a stored key: for the key if the key is within its limit, and for its user if the key has the scope and all are
   * within theirs. Of an unknown key, returns the edition with which it may be stored.
   */
  count: (name: KeyName, request: KeyRequest) => Promise<Counted | { edition: string }>;
  /** Stores nothing when the keys of the user were forgotten since `edition`. */
  store: (name: KeyName, edition: string, key: StoredKey) => Promise<void>;
  /** After a change of what the keys of the user may do. */
  forget: (userId: string) => Promise<void>;
  /** After an app was disabled: none of its tokens of an older generation counts any more. An older call changes nothing. */
  disableTool: (toolId: string, generation: number) => Promise<void>;
};

const WINDOW_MS = minutes(1);
const STORED_MS = minutes(5);
/** Longer than any read of identity takes. */
const EDITION_MS = minutes(10);

// Keys: stored keys, edition, requests of the key, requests of the user by what is counted. Of refused requests, only those for a scope
// count, and for the key alone: what one key is refused must not use up what others may do.
const COUNT = `
local stored = redis.call('HGET', KEYS[1], ARGV[1])
if not stored then return {redis.call('GET', KEYS[2]) or ''} end
local use = ARGV[1] .. ':use'
local isNewUse = 0
if redis.call('HGET', KEYS[1], use) ~= ARGV[2] then
  redis.call('HSET', KEYS[1], use, ARGV[2])
  isNewUse = 1
end
local key = cjson.decode(stored)
local tool = key.toolId
if tool == cjson.null or not tool then tool = '' end
local limitOfKey, limitOfUser, limitOfShare = tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])
local ofKey = tonumber(redis.call('GET', KEYS[3]) or '0')
local ofUser = tonumber(redis.call('HGET', KEYS[4], 'all') or '0')
local ofShare = tonumber(tool ~= '' and redis.call('HGET', KEYS[4], tool) or '0')
local mayUse = false
for _, scope in ipairs(key.scopes) do mayUse = mayUse or scope == ARGV[4] end
if ofKey < limitOfKey then
  local isOver = ofUser >= limitOfUser or (tool ~= '' and ofShare >= limitOfShare)
  if not mayUse or not isOver then
    if redis.call('INCR', KEYS[3]) == 1 then redis.call('PEXPIRE', KEYS[3], ARGV[3]) end
  end
  if mayUse and not isOver then
    if redis.call('HINCRBY', KEYS[4], 'all', 1) == 1 then redis.call('PEXPIRE', KEYS[4], ARGV[3]) end
    if tool ~= '' then redis.call('HINCRBY', KEYS[4], tool, 1) end
  end
end
return {stored, ofKey + 1, redis.call('PTTL', KEYS[3]), ofUser + 1, redis.call('PTTL', KEYS[4]), ofShare + 1, isNewUse}`;

const STORE = `
if (redis.call('GET', KEYS[2]) or '') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], ARGV[2], ARGV[3])
if redis.call('PTTL', KEYS[1]) < 0 then redis.call('PEXPIRE', KEYS[1], ARGV[4]) end
return 1`;

// Returns the edition with which keys may be stored from now on.
const FORGET = `
local edition = redis.call('INCR', KEYS[2])
redis.call('PEXPIRE', KEYS[2], ARGV[1])
redis.call('DEL', KEYS[1])
return edition`;

const DISABLE_TOOL = `
if tonumber(ARGV[2]) > tonumber(redis.call('HGET', KEYS[1], ARGV[1]) or '0') then
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
end
return 1`;

type CountReply =
  | [edition: string]
  | [
      stored: string,
      ofKey: number,
      keyLeftMs: number,
      ofUser: number,
      userLeftMs: number,
      ofShare: number,
      isNewUse: 0 | 1,
    ];

// All keys of a user share a hash tag, so that they are on one node of a Redis Cluster.
const storedOf = (tag: string): string => `api-keys:{${tag}}`;
const editionOf = (tag: string): string => `api-keys-edition:{${tag}}`;
const requestsOf = (tag: string): string => `api-counts:{${tag}}`;

/**
 * The generation of each app that was ever disabled. Such an app may have thousands of users, whose keys cannot all be forgotten within a
 * second, so each token is compared with this one key, which is read with it.
 */
const GENERATIONS = 'tool-generations';

type Generations = Record<string, string>;

/** Whether the app of a stored token has been disabled since. */
const isOutdated = ({ toolId, toolGeneration }: StoredKey, generations: Generations): boolean =>
  toolId !== null && toolGeneration < Number(generations[toolId] ?? 0);

/** Of a count that has not begun, Redis knows no end. */
const leftOf = (leftMs: number): number => (leftMs < 0 ? WINDOW_MS : leftMs);

const present = (reply: CountReply): Counted | { edition: string } => {
  if (reply.length === 1) return { edition: reply[0] };
  const [stored, ofKey, keyLeftMs, ofUser, userLeftMs, ofShare, isNewUse] = reply;
  // An earlier version has stored neither.
  const key = { toolId: null, toolGeneration: 0, ...(JSON.parse(stored) as Partial<StoredKey>) } as StoredKey;
  return {
    key,
    ofKey: { requests: ofKey, leftMs: leftOf(keyLeftMs) },
    ofUser: { requests: ofUser, leftMs: leftOf(userLeftMs) },
    ofShare: key.toolId === null ? null : { requests: ofShare, leftMs: leftOf(userLeftMs) },
    isNewUse: isNewUse === 1,
  };
};

export const createKeyStore = (redis: Redis): KeyStore => {
  const runCount = defineScript<CountReply>(redis, 'countApiKey', { keys: 4, lua: COUNT });
  const runStore = defineScript<0 | 1>(redis, 'storeApiKey', { keys: 2, lua: STORE });
  const runForget = defineScript<number>(redis, 'forgetApiKeys', { keys: 2, lua: FORGET });
  const runDisableTool = defineScript<1>(redis, 'disableTool', { keys: 1, lua: DISABLE_TOOL });
  const forgetTag = async (tag: string): Promise<string> =>
    String(await withAvailability(runForget([storedOf(tag), editionOf(tag)], [EDITION_MS])));
  return {
    count: async ({ kind, tag, hash }, { use: { day, network }, scope, limits }) => {
      const names = [storedOf(tag), editionOf(tag), `${requestsOf(tag)}:${hash}`, requestsOf(tag)];
      const { ofKey, ofUser, ofShare } = limits;
      const counting = runCount(names, [hash, `${day} ${network}`, WINDOW_MS, scope, ofKey, ofUser, ofShare]);
      if (kind === 'key') return present(await withAvailability(counting));
      // Both are sent at once: one round trip.
      const both = Promise.all([counting, redis.hgetall(GENERATIONS)]);
      const [reply, generations] = await withAvailability(both);
      const counted = present(reply);
      if ('key' in counted && isOutdated(counted.key, generations)) return { edition: await forgetTag(tag) };
      return counted;
    },
    store: async ({ tag, hash }, edition, key) => {
      const values = [edition, hash, JSON.stringify(key), STORED_MS];
      await withAvailability(runStore([storedOf(tag), editionOf(tag)], values));
    },
    forget: async (userId) => {
      await forgetTag(tagOfUser(userId));
    },
    disableTool: async (toolId, generation) => {
      await withAvailability(runDisableTool([GENERATIONS], [toolId, generation]));
    },
  };
};

/**
 * Ends the sessions of earlier generations of the account, and makes the user's keys and tokens be read again, after a change that ends some of
 * them.
 */
export const endAccess = async (
  { sessions, keyStore }: { sessions: Sessions; keyStore: KeyStore },
  userId: string,
  generation: number,
): Promise<void> => {
  await Promise.all([sessions.endAllBefore(userId, generation), keyStore.forget(userId)]);
};
