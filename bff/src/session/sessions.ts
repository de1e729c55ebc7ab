// The session store. Each of its scripts declares its keys, which have one hash tag.
//
// A session stores the generation that its account had when its credentials were read, and a user the least generation whose sessions
// are accepted. Each check compares the two, so raising the least one ends every older session at its next request, on every replica,
// whatever the clocks say, and a log-in that was under way begins none.
import { randomUUID } from 'node:crypto';
import type { AdminAccess } from '@shortlist/contracts/api/team';
import { inSeconds, seconds } from '@shortlist/contracts/durations';
import {
  SESSION_ABSOLUTE_SECONDS,
  SESSION_IDLE_SECONDS,
  SESSIONS_OF_USER_MAX,
  VIEWING_SECONDS,
} from '@shortlist/contracts/limits';
import { defineScript, type Redis, subscribe } from '@shortlist/kit/data/redis';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import { createCheck } from './check-session.ts';
import { createSessionList, findName, type SessionList } from './session-list.ts';
import {
  type Bindings,
  createToken,
  ENDED_CHANNEL,
  isToken,
  keysOfToken,
  keysOfUser,
  nameOfSession,
  STORED_RESTRICTION,
  type Session,
  type SessionDetails,
  type SessionOwner,
  type UserKeys,
  type Viewer,
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
if kept and kept >= least and kept < begun then redis.call('HSET', KEYS[2], 'generation', begun) end
if begun > least then redis.call('SET', KEYS[1], begun, 'PX', ARGV[2]) end
${PUBLISH}
return 1`;

const defineSessionScripts = (redis: Redis) => ({
  /** Keys: session, generation, names, access. */
  begin: defineScript<string[] | null>(redis, 'beginSession', { keys: 4, lua: BEGIN }),
  /** Keys: session. */
  reauthenticate: defineScript<number>(redis, 'reauthenticateSession', { keys: 1, lua: REAUTHENTICATE }),
  /** Keys: session. */
  restrict: defineScript<number>(redis, 'restrictSession', { keys: 1, lua: RESTRICT }),
  /** Keys: session, names. Returns how many sessions were ended. */
  end: defineScript<number>(redis, 'endSession', { keys: 2, lua: END }),
  /** Keys: access. */
  setAccess: defineScript<number>(redis, 'setAdminAccess', { keys: 1, lua: SET_ACCESS }),
  /** Keys: generation, the session that stays. */
  endAll: defineScript<number>(redis, 'endSessions', { keys: 2, lua: END_ALL }),
});

type SessionScripts = ReturnType<typeof defineSessionScripts>;

export type Sessions = SessionList & {
  /**
   * Begins a session. The token has 256 random bits; Redis stores only its hash. Throws `session.log_in_superseded` when the
   * generation is over.
   */
  begin: (
    owner: SessionOwner,
    details?: Partial<SessionDetails>,
  ) => Promise<{ token: string; id: string; remainingSeconds: number }>;
  /**
   * Begins a session of an admin in the place of a user. It ends after VIEWING_SECONDS, with the admin's session, and when the role
   * of the admin no longer includes it.
   */
  beginViewing: (userId: string, viewer: Viewer) => ReturnType<Sessions['begin']>;
  /** One round trip. Returns null for a token that is unknown, expired, ended, or bound to another browser. */
  check: (token: string, bindings?: Bindings) => Promise<Session | null>;
  /** Records that the user has just proved again who they are. */
  reauthenticated: (token: string) => Promise<void>;
  /** Records whether the admin of this session has to set up a second factor first. */
  restrict: (token: string, needsSecondFactor: boolean) => Promise<void>;
  /** Sets what the sessions of an admin may do from now on, unless a later version is known. */
  setAccess: (userId: string, access: AdminAccess) => Promise<void>;
  /** Calls `handle` with the tag of each user of whom a session ends, by whichever process. Returns what ends it. */
  watchEnds: (handle: (tag: string) => void) => () => void;
  end: (token: string) => Promise<void>;
  /** Ends a user's sessions that are older than this generation of the account; the one with the id `exceptId` stays. */
  endAllBefore: (userId: string, generation: number, exceptId?: string) => Promise<void>;
};

const IDLE_MS = seconds(SESSION_IDLE_SECONDS);
const VIEWING_MS = seconds(VIEWING_SECONDS);
const ABSOLUTE_MS = seconds(SESSION_ABSOLUTE_SECONDS);
/** How long a revocation is remembered: until every session that it ends has expired. */
const REVOCATION_MS = ABSOLUTE_MS + IDLE_MS;

const NO_DETAILS: SessionDetails = {
  browser: '',
  system: '',
  network: '',
  place: '',
  binding: '',
  restriction: 'none',
  by: '',
  bySession: '',
};
const NO_BINDINGS: Bindings = { user: '', admin: '' };

type Changes = { keyOf: (token: string) => string; clock: Clock };

/** Changes of a session that exists. */
const createChanges = (
  scripts: SessionScripts,
  { keyOf, clock }: Changes,
): Pick<Sessions, 'reauthenticated' | 'restrict' | 'setAccess'> => ({
  setAccess: async (userId, { role, version }) => {
    await withAvailability(
      scripts.setAccess([keysOfUser(userId).access], [version, role ?? '', REVOCATION_MS]),
    );
  },
  reauthenticated: async (token) => {
    if (isToken(token)) await withAvailability(scripts.reauthenticate([keyOf(token)], [clock().getTime()]));
  },
  restrict: async (token, needsSecondFactor) => {
    const stored = STORED_RESTRICTION[needsSecondFactor ? 'second_factor' : 'none'];
    if (isToken(token)) await withAvailability(scripts.restrict([keyOf(token)], [stored]));
  },
});

type Store = { scripts: SessionScripts; clock: Clock };

type Lifetimes = { idleMs: number; absoluteMs: number };

const FULL: Lifetimes = { idleMs: IDLE_MS, absoluteMs: ABSOLUTE_MS };
const VIEWING: Lifetimes = { idleMs: VIEWING_MS, absoluteMs: VIEWING_MS };

const createBegin = ({ scripts, clock }: Store): Pick<Sessions, 'begin' | 'beginViewing'> => {
  const end = (keys: UserKeys, name: string): Promise<number> =>
    withAvailability(scripts.end([keys.session(name), keys.names], [name]));
  const begin = async (
    owner: SessionOwner<number | null>,
    details: Partial<SessionDetails>,
    { idleMs, absoluteMs }: Lifetimes,
  ) => {
    const { userId, role } = owner;
    const [token, id] = [createToken(userId), randomUUID()];
    const keys = keysOfUser(userId);
    const name = nameOfSession(token);
    const now = clock().getTime();
    const { restriction, ...others } = { ...NO_DETAILS, ...details };
    const stored = { ...others, restriction: STORED_RESTRICTION[restriction] };
    const fields = { user: userId, role, id, authenticated: now, ...stored };
    const access = owner.role === 'admin' ? [owner.access.version, owner.access.role ?? ''] : ['', ''];
    const generation = owner.generation ?? '';
    const values = [name, now, idleMs, now + absoluteMs, SESSIONS_OF_USER_MAX, ...access, generation];
    const beyond = await withAvailability(
      scripts.begin(
        [keys.session(name), keys.generation, keys.names, keys.access],
        [...values, ...Object.entries(fields).flat()],
      ),
    );
    if (beyond === null) throw createError('session.log_in_superseded');
    await Promise.all(beyond.map((ended) => end(keys, ended)));
    return { token, id, remainingSeconds: inSeconds(idleMs) };
  };
  return {
    begin: (owner, details = {}) => begin(owner, details, FULL),
    beginViewing: (userId, { id: by, token, binding }) =>
      begin(
        { userId, role: 'user', generation: null },
        { by, bySession: nameOfSession(token), binding },
        VIEWING,
      ),
  };
};

export const createSessions = (redis: Redis, clock: Clock): Sessions => {
  const scripts = defineSessionScripts(redis);
  const check = createCheck(redis, clock);
  const keyOf = (token: string): string => keysOfToken(token).session(nameOfSession(token));
  const list = createSessionList(redis, scripts);
  return {
    ...list,
    ...createBegin({ scripts, clock }),
    check: (token, bindings = NO_BINDINGS) => check(token, bindings),
    watchEnds: (handle) => subscribe(redis, ENDED_CHANNEL, handle),
    ...createChanges(scripts, { keyOf, clock }),
    end: async (token) => {
      if (!isToken(token)) return;
      const { names } = keysOfToken(token);
      await withAvailability(scripts.end([keyOf(token), names], [nameOfSession(token)]));
    },
    endAllBefore: async (userId, generation, exceptId = '') => {
      const keys = keysOfUser(userId);
      const name = exceptId === '' ? undefined : await withAvailability(findName(redis, userId, exceptId));
      const values = [generation, REVOCATION_MS];
      await withAvailability(scripts.endAll([keys.generation, keys.session(name ?? 'none')], values));
    },
  };
};
