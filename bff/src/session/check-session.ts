import { type AdminRole, may } from '@shortlist/contracts/admin-permissions';
import { accountRight, adminRight, type Right, rightTo } from '@shortlist/contracts/api/endpoint';
import { minutes, seconds } from '@shortlist/contracts/durations';
import { SESSION_IDLE_SECONDS } from '@shortlist/contracts/limits';
import { defineScript, type Redis } from '@shortlist/kit/data/redis';
import type { Clock } from '@shortlist/kit/process/clock';
import {
  type Bindings,
  isToken,
  keysOfToken,
  keysOfUser,
  nameOfSession,
  type Session,
  type SessionRole,
  STORED_RESTRICTION,
  type UserKeys,
  withAvailability,
} from './session.ts';

// Only extends a session that still exists: a slow request cannot revive a session that was ended. The binding is compared before
// anything is written; both sides are hashes, and Lua compares them as interned strings, in constant time.
// Keys: session, generation, access.
const CHECK = `
local found = redis.call('HMGET', KEYS[1], 'user', 'role', 'generation', 'ends', 'seen', 'binding', 'id', 'authenticated', 'restriction', 'by', 'bySession')
local user, role, generation, ends, seen, binding, id, authenticated, restriction, by, bySession = unpack(found, 1, 11)
if not user then return nil end
-- Sessions that began before these fields existed have none.
by, bySession = by or '', bySession or ''
local given = ARGV[4]
if role == 'admin' or by ~= '' then given = ARGV[5] end
if binding ~= '' and binding ~= given then return nil end
local access, accessVersion = '', ''
if role == 'admin' then
  local known = redis.call('HMGET', KEYS[3], 'role', 'version')
  access, accessVersion = known[1] or '', known[2] or ''
end
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
return {'user', user, 'role', role, 'generation', generation, 'left', left, 'id', id, 'authenticated', authenticated, 'restriction', restriction, 'access', access, 'accessVersion', accessVersion, 'by', by, 'bySession', bySession}`;

/** Names, each followed by its value. */
type CheckReply = (string | number | null)[];

const IDLE_MS = seconds(SESSION_IDLE_SECONDS);
/** How old the recorded use of a session must be before a check extends the session, so that not every check writes. */
const TOUCH_MS = minutes(1);

/** What the check returns of a session; '' where it has no such value. */
type Found = {
  user: string;
  role: SessionRole;
  generation: string;
  /** Milliseconds. */
  left: number;
  id: string;
  authenticated: string;
  restriction: string | null;
  /** The role of an admin. */
  access: AdminRole | '';
  accessVersion: string;
  by: string;
  bySession: string;
};

const readReply = (reply: CheckReply): Found => {
  const fields: Record<string, unknown> = {};
  for (let index = 0; index < reply.length; index += 2) fields[String(reply[index])] = reply[index + 1];
  return fields as Found;
};

/** What a request of this session stands on. */
const rightsOf = ({ user, role, generation, id, accessVersion }: Found): Right[] => [
  rightTo('session', id),
  accountRight(user, Number(generation)),
  ...(role === 'admin' ? [adminRight(user, Number(accessVersion))] : []),
];

/** Whether a session may only set up a second factor. One of a newer release, whose restriction is unknown here, may do no more. */
const isHeldBack = ({ restriction }: Found): boolean => {
  const { none, deletion } = STORED_RESTRICTION;
  return ![none, deletion].includes(restriction ?? none);
};

const present = (found: Found, rights: readonly Right[]): Session => ({
  id: found.id,
  userId: found.user,
  role: found.role,
  remainingSeconds: Math.floor(found.left / 1000),
  authenticatedAt: Number(found.authenticated),
  needsSecondFactor: isHeldBack(found),
  isBeingDeleted: found.restriction === STORED_RESTRICTION.deletion,
  adminRole: found.access === '' ? null : found.access,
  viewerId: found.by === '' ? null : found.by,
  rights,
});

/** Returns the check of a session: one round trip, and one more for an admin who views the product as a user. */
export const createCheck = (redis: Redis, clock: Clock) => {
  const runCheck = defineScript<CheckReply | null>(redis, 'checkSession', { keys: 3, lua: CHECK });
  const find = async (keys: UserKeys, name: string, bindings: Bindings): Promise<Found | null> => {
    const values = [clock().getTime(), IDLE_MS, TOUCH_MS, bindings.user, bindings.admin];
    const reply = await withAvailability(
      runCheck([keys.session(name), keys.generation, keys.access], values),
    );
    return reply === null ? null : readReply(reply);
  };
  /** The rights of the admin who views the product as a user; null once the admin's session does not allow that any more. */
  const findViewer = async ({ by, bySession }: Found, bindings: Bindings): Promise<Right[] | null> => {
    if (by === '') return [];
    const viewer = await find(keysOfUser(by), bySession, bindings);
    const allows = viewer !== null && may(viewer.access === '' ? null : viewer.access, 'impersonate');
    return allows ? rightsOf(viewer) : null;
  };
  return async (token: string, bindings: Bindings): Promise<Session | null> => {
    if (!isToken(token)) return null;
    const found = await find(keysOfToken(token), nameOfSession(token), bindings);
    const ofViewer = found && (await findViewer(found, bindings));
    return found && ofViewer && present(found, [...rightsOf(found), ...ofViewer]);
  };
};
