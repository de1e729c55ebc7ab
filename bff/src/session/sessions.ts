import { createHash, randomBytes } from 'node:crypto';
import { SESSION_ABSOLUTE_SECONDS, SESSION_IDLE_SECONDS } from '@shortlist/contracts/limits';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import { defineScript, type Redis } from '@shortlist/kit/data/redis';

export type SessionRole = 'user' | 'admin';
export type Session = { userId: string; role: SessionRole; remainingSeconds: number };

export type Sessions = {
  /** Begins a session. The token is 256 random bits; Redis stores only its hash. */
  begin: (userId: string, role: SessionRole) => Promise<{ token: string; remainingSeconds: number }>;
  /** One round trip. Returns null for a token that is unknown, expired or ended. */
  check: (token: string) => Promise<Session | null>;
  end: (token: string) => Promise<void>;
  /** Ends a user's sessions that began before `at`, a time of a shared server's clock; the session of `except` stays. */
  endAllBefore: (userId: string, at: Date, except?: string) => Promise<void>;
};

const IDLE_MS = SESSION_IDLE_SECONDS * 1000;
const ABSOLUTE_MS = SESSION_ABSOLUTE_SECONDS * 1000;
/** How much of its idle time must have passed before a check extends a session, so that not every check writes. */
const TOUCH_MS = 60_000;

// A session stores when it began, and a user the time before which sessions are revoked. Each check compares the two, so moving
// the user's time ends every session at its next request, on every replica. The begin is in Redis' time: a process whose clock is
// ahead would begin sessions that outlive a revocation.
const BEGIN = `
local time = redis.call('TIME')
local since = time[1] * 1000 + math.floor(time[2] / 1000)
local mark = tonumber(redis.call('GET', KEYS[2]) or '0')
if mark > since then since = mark end
redis.call('SET', KEYS[1], ARGV[1] .. '|' .. since .. '|' .. ARGV[2], 'PX', ARGV[3])
return 1`;

// Only extends a session that still exists: a slow request cannot revive a session that was ended.
const CHECK = `
local session = redis.call('GET', KEYS[1])
if not session then return nil end
local user, role, since, ends = string.match(session, '^(.-)|(.-)|(.-)|(.-)$')
local mark = tonumber(redis.call('GET', 'ended-before:' .. user) or '0')
if mark > tonumber(since) then
  redis.call('DEL', KEYS[1])
  return nil
end
local left = redis.call('PTTL', KEYS[1])
local idle = math.min(tonumber(ARGV[2]), tonumber(ends) - tonumber(ARGV[1]))
if idle <= 0 then
  redis.call('DEL', KEYS[1])
  return nil
end
if idle < left or idle - left > tonumber(ARGV[3]) then
  redis.call('PEXPIRE', KEYS[1], idle)
  left = idle
end
return {user, role, left}`;

const END_ALL = `
local mark = tonumber(redis.call('GET', KEYS[1]) or '0')
local at = tonumber(ARGV[1])
if at > mark then redis.call('SET', KEYS[1], at, 'PX', ARGV[2]) end
local kept = redis.call('GET', KEYS[2])
if kept then
  local user, role, since, ends = string.match(kept, '^(.-)|(.-)|(.-)|(.-)$')
  if tonumber(since) < at then redis.call('SET', KEYS[2], user .. '|' .. role .. '|' .. at .. '|' .. ends, 'KEEPTTL') end
end
return 1`;

const sessionKey = (token: string): string =>
  `session:${createHash('sha256').update(token).digest('base64url')}`;
const markKey = (userId: string): string => `ended-before:${userId}`;

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

const withAvailability = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (cause) {
    throw createError('session.unavailable', { cause, retryAfterSeconds: 2 });
  }
};

export const createSessions = (redis: Redis, clock: Clock): Sessions => {
  const begin = defineScript<number>(redis, 'beginSession', { keys: 2, lua: BEGIN });
  const check = defineScript<[string, SessionRole, number] | null>(redis, 'checkSession', {
    keys: 1,
    lua: CHECK,
  });
  const endAll = defineScript<number>(redis, 'endSessions', { keys: 2, lua: END_ALL });
  return {
    begin: async (userId, role) => {
      const token = randomBytes(32).toString('base64url');
      const ends = clock().getTime() + ABSOLUTE_MS;
      await withAvailability(
        begin([sessionKey(token), markKey(userId)], [`${userId}|${role}`, ends, IDLE_MS]),
      );
      return { token, remainingSeconds: IDLE_MS / 1000 };
    },
    check: async (token) => {
      if (!TOKEN.test(token)) return null;
      const found = await withAvailability(
        check([sessionKey(token)], [clock().getTime(), IDLE_MS, TOUCH_MS]),
      );
      if (found === null) return null;
      const [userId, role, left] = found;
      return { userId, role, remainingSeconds: Math.floor(left / 1000) };
    },
    end: async (token) => {
      if (TOKEN.test(token)) await withAvailability(redis.del(sessionKey(token)));
    },
    endAllBefore: async (userId, at, except) => {
      const keptKey = except === undefined ? 'session:none' : sessionKey(except);
      await withAvailability(endAll([markKey(userId), keptKey], [at.getTime(), ABSOLUTE_MS + IDLE_MS]));
    },
  };
};
