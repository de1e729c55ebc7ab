// The scripts of the session store. Each declares its keys, which have one hash tag.
//
// A session stores the generation that its account had when its credentials were read, and a user the least generation whose sessions
// are accepted. Each check compares the two, so raising the least one ends every older session at its next request, on every replica,
// whatever the clocks say, and a log-in that was under way begins none.
import { type AdminRole, may } from '@shortlist/contracts/admin-permissions';
import { minutes, seconds } from '@shortlist/contracts/durations';
import { SESSION_IDLE_SECONDS } from '@shortlist/contracts/limits';
import { defineScript, type Redis, type Script } from '@shortlist/kit/data/redis';
import type { Clock } from '@shortlist/kit/process/clock';
import {
  type Bindings,
  ENDED_CHANNEL,
  isToken,
  keysOfToken,
  keysOfUser,
  nameOfSession,
  type Session,
  type SessionRole,
  type UserKeys,
  withAvailability,
} from './session.ts';

// What an admin may do is stored once for all sessions of the admin, so that a change counts at the next request of each. An older
// version changes nothing: a log-in that began before a change, or the event of an earlier change, may arrive after it.
const ACCESS = `
local function setAccess(key, version, role, ttl)
  local current = tonumber(redis.call('HGET', key, 'version') or '-1')
  if tonumber(version) >= current then redis.call('HSET', key, 'version', version, 'role', role) end
  redis.call('PEXPIRE', key, ttl)
end`;

// In the script that ends a session, so that no process can end one and die before it says so.
const PUBLISH = `redis.call('PUBLISH', '${ENDED_CHANNEL}', string.match(KEYS[1], '{(.-)}'))`;

/** Returns the names of the sessions beyond the limit, oldest first, which the caller ends; null when the generation is over. */
const BEGIN = `${ACCESS}
local least = tonumber(redis.call('GET', KEYS[2]) or '0')
-- The viewing of an admin belongs to no log-in of the user: it has the generation of now.
local generation = tonumber(ARGV[8]) or least
if generation < least then return nil end
local name, now, idle, ends, limit = ARGV[1], ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5])
if ARGV[6] ~= '' then setAccess(KEYS[4], ARGV[6], ARGV[7], ends - now) end
redis.call('HSET', KEYS[1], 'generation', generation, 'ends', ends, 'seen', now, unpack(ARGV, 9))
redis.call('PEXPIRE', KEYS[1], idle)
redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', now)
redis.call('ZADD', KEYS[3], ends, name)
-- A session that ends earlier than the others must not end the list of them.
if redis.call('PTTL', KEYS[3]) < ends - now then redis.call('PEXPIRE', KEYS[3], ends - now) end
local beyond = redis.call('ZCARD', KEYS[3]) - limit
if beyond <= 0 then return {} end
local oldest = redis.call('ZRANGE', KEYS[3], 0, beyond - 1)
redis.call('ZREMRANGEBYRANK', KEYS[3], 0, beyond - 1)
return oldest`;

// Only extends a session that still exists: a slow request cannot revive a session that was ended. The binding is compared before
// anything is written; both sides are hashes, and Lua compares them as interned strings, in constant time.
const CHECK = `
local found = redis.call('HMGET', KEYS[1], 'user', 'role', 'generation', 'ends', 'seen', 'binding', 'id', 'authenticated', 'restriction', 'by', 'bySession')
local user, role, generation, ends, seen, binding, id, authenticated, restriction, by, bySession = unpack(found, 1, 11)
if not user then return nil end
-- Sessions that began before these fields existed have none.
by, bySession = by or '', bySession or ''
local given = ARGV[4]
if role == 'admin' or by ~= '' then given = ARGV[5] end
if binding ~= '' and binding ~= given then return nil end
local access = ''
if role == 'admin' then access = redis.call('HGET', KEYS[3], 'role') or '' end
if role == 'admin' and access == '' then return nil end
local least = tonumber(redis.call('GET', KEYS[2]) or '0')
local now, touch = tonumber(ARGV[1]), tonumber(ARGV[3])
local idle = math.min(tonumber(ARGV[2]), tonumber(ends) - now)
-- Sessions that began before there were generations have none, and end.
if least > tonumber(generation or '-1') or idle <= 0 then
  redis.call('DEL', KEYS[1])
  return nil
end
local left = redis.call('PTTL', KEYS[1])
if idle < left or idle - left > touch or now - tonumber(seen) > touch then
  redis.call('HSET', KEYS[1], 'seen', ARGV[1])
  redis.call('PEXPIRE', KEYS[1], idle)
  left = idle
end
return {'user', user, 'role', role, 'left', left, 'id', id, 'authenticated', authenticated, 'restriction', restriction, 'access', access, 'by', by, 'bySession', bySession}`;

const SET_ACCESS = `${ACCESS}
setAccess(KEYS[1], ARGV[1], ARGV[2], ARGV[3])
${PUBLISH}
return 1`;

const REAUTHENTICATE = `
if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('HSET', KEYS[1], 'authenticated', ARGV[1]) end
return 1`;

const RESTRICT = `
if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('HSET', KEYS[1], 'restriction', ARGV[1]) end
return 1`;

const END = `
redis.call('ZREM', KEYS[2], ARGV[1])
local ended = redis.call('DEL', KEYS[1])
${PUBLISH}
return ended`;

/** The session of the second key stays, unless an earlier generation has ended it: it gets the new one. */
const END_ALL = `
local least, begun = tonumber(redis.call('GET', KEYS[1]) or '0'), tonumber(ARGV[1])
local kept = tonumber(redis.call('HGET', KEYS[2], 'generation') or '')
if kept and kept >= begun - 1 and kept < begun then redis.call('HSET', KEYS[2], 'generation', begun) end
if begun > least then redis.call('SET', KEYS[1], begun, 'PX', ARGV[2]) end
${PUBLISH}
return 1`;

/** Names, each followed by its value. */
type CheckReply = (string | number | null)[];

export type SessionScripts = {
  /** Keys: session, generation, names, access. */
  begin: Script<string[] | null>;
  /** Keys: session, generation, access. */
  check: Script<CheckReply | null>;
  /** Keys: session. */
  reauthenticate: Script<number>;
  /** Keys: session. */
  restrict: Script<number>;
  /** Keys: session, names. Returns how many sessions were ended. */
  end: Script<number>;
  /** Keys: access. */
  setAccess: Script<number>;
  /** Keys: generation, the session that stays. */
  endAll: Script<number>;
};

export const defineSessionScripts = (redis: Redis): SessionScripts => ({
  begin: defineScript(redis, 'beginSession', { keys: 4, lua: BEGIN }),
  check: defineScript(redis, 'checkSession', { keys: 3, lua: CHECK }),
  reauthenticate: defineScript(redis, 'reauthenticateSession', { keys: 1, lua: REAUTHENTICATE }),
  restrict: defineScript(redis, 'restrictSession', { keys: 1, lua: RESTRICT }),
  end: defineScript(redis, 'endSession', { keys: 2, lua: END }),
  setAccess: defineScript(redis, 'setAdminAccess', { keys: 1, lua: SET_ACCESS }),
  endAll: defineScript(redis, 'endSessions', { keys: 2, lua: END_ALL }),
});

const IDLE_MS = seconds(SESSION_IDLE_SECONDS);
/** How old the recorded use of a session must be before a check extends the session, so that not every check writes. */
const TOUCH_MS = minutes(1);

type Parts = { scripts: SessionScripts; clock: Clock };

/** What the check returns of a session; '' where it has no such value. */
type Found = {
  user: string;
  role: SessionRole;
  /** Milliseconds. */
  left: number;
  id: string;
  authenticated: string;
  restriction: string;
  /** The role of an admin. */
  access: AdminRole | '';
  by: string;
  bySession: string;
};

const readReply = (reply: CheckReply): Found => {
  const fields: Record<string, unknown> = {};
  for (let index = 0; index < reply.length; index += 2) fields[String(reply[index])] = reply[index + 1];
  return fields as Found;
};

const present = ({ user, role, left, id, authenticated, restriction, access, by }: Found): Session => ({
  id,
  userId: user,
  role,
  remainingSeconds: Math.floor(left / 1000),
  authenticatedAt: Number(authenticated),
  needsSecondFactor: restriction === '1',
  isBeingDeleted: restriction === 'deletion',
  adminRole: access === '' ? null : access,
  viewerId: by === '' ? null : by,
});

/** Returns the check of a session: one round trip, and one more for an admin who views the product as a user. */
export const createCheck = ({ scripts, clock }: Parts) => {
  const find = async (keys: UserKeys, name: string, bindings: Bindings): Promise<Found | null> => {
    const values = [clock().getTime(), IDLE_MS, TOUCH_MS, bindings.user, bindings.admin];
    const reply = await withAvailability(
      scripts.check([keys.session(name), keys.generation, keys.access], values),
    );
    return reply === null ? null : readReply(reply);
  };
  /** Whether the session of the admin who views the product as a user still allows that. */
  const mayView = async ({ by, bySession }: Found, bindings: Bindings): Promise<boolean> => {
    if (by === '') return true;
    const viewer = await find(keysOfUser(by), bySession, bindings);
    return viewer !== null && may(viewer.access === '' ? null : viewer.access, 'impersonate');
  };
  return async (token: string, bindings: Bindings): Promise<Session | null> => {
    if (!isToken(token)) return null;
    const found = await find(keysOfToken(token), nameOfSession(token), bindings);
    return found !== null && (await mayView(found, bindings)) ? present(found) : null;
  };
};
