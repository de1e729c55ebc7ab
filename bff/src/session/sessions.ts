import { randomUUID } from 'node:crypto';
import type { AdminAccess } from '@shortlist/contracts/admin-permissions';
import { inSeconds, seconds } from '@shortlist/contracts/durations';
import {
  SESSION_ABSOLUTE_SECONDS,
  SESSION_IDLE_SECONDS,
  SESSIONS_OF_USER_MAX,
  VIEWING_SECONDS,
} from '@shortlist/contracts/limits';
import { type Redis, subscribe } from '@shortlist/kit/data/redis';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import { createCheck, defineSessionScripts, type SessionScripts } from './scripts.ts';
import {
  type Bindings,
  createToken,
  ENDED_CHANNEL,
  isToken,
  keysOfToken,
  keysOfUser,
  nameOfSession,
  type Session,
  type SessionDetails,
  type SessionOwner,
  type UserKeys,
  type Viewer,
  withAvailability,
} from './session.ts';

/** A session that has not ended. Times are in ms since the epoch. */
export type ListedSession = {
  /** The name of its key. */
  name: string;
  id: string;
  browser: string;
  system: string;
  place: string;
  binding: string;
  by: string;
  restriction: string;
  beganAt: number;
  lastSeenAt: number;
};

type Fields = Record<string, string>;

const listed = (name: string, fields: Fields): ListedSession => ({
  name,
  id: fields['id'] ?? '',
  browser: fields['browser'] ?? '',
  system: fields['system'] ?? '',
  place: fields['place'] ?? '',
  binding: fields['binding'] ?? '',
  by: fields['by'] ?? '',
  restriction: fields['restriction'] ?? '',
  beganAt: Number(fields['ends']) - seconds(SESSION_ABSOLUTE_SECONDS),
  lastSeenAt: Number(fields['seen']),
});

/** The sessions of a user that have neither expired nor been ended, the one used last first. */
const listSessions = async (redis: Redis, userId: string): Promise<ListedSession[]> => {
  const keys = keysOfUser(userId);
  const [names, least] = await Promise.all([redis.zrange(keys.names, '0', '-1'), redis.get(keys.generation)]);
  const found = await Promise.all(
    names.map(async (name) => ({ name, fields: await redis.hgetall(keys.session(name)) })),
  );
  return found
    .filter(
      ({ fields }) => fields['id'] !== undefined && Number(fields['generation'] ?? -1) >= Number(least ?? 0),
    )
    .map(({ name, fields }) => listed(name, fields))
    .toSorted((a, b) => b.lastSeenAt - a.lastSeenAt);
};

/** The name of the session with this id, which an event of its account may have made too old already. */
const findName = async (redis: Redis, userId: string, id: string): Promise<string | undefined> => {
  const keys = keysOfUser(userId);
  const names = await redis.zrange(keys.names, '0', '-1');
  const ids = await Promise.all(names.map((name) => redis.hget(keys.session(name), 'id')));
  return names[ids.indexOf(id)];
};

type SessionList = {
  /** The user's own sessions, the one used last first. */
  list: (userId: string) => Promise<ListedSession[]>;
  /** Ends the session with this id. Returns false when the user has none. */
  endById: (userId: string, id: string) => Promise<boolean>;
  /** Ends the user's sessions that are bound to this cookie. */
  endBound: (userId: string, binding: string) => Promise<void>;
  /** Lifts this restriction from every session of the user that has it. */
  liftRestriction: (userId: string, restriction: string) => Promise<void>;
};

/** Lists the sessions of a user and ends those that a predicate selects. */
const createSessionList = (redis: Redis, scripts: SessionScripts): SessionList => {
  const endWhere = async (userId: string, selects: (session: ListedSession) => boolean): Promise<number> => {
    const keys = keysOfUser(userId);
    const selected = (await listSessions(redis, userId)).filter(selects);
    const ended = await Promise.all(
      selected.map(({ name }) => scripts.end([keys.session(name), keys.names], [name])),
    );
    return ended.reduce((sum, count) => sum + count, 0);
  };
  const end: typeof endWhere = (userId, selects) => withAvailability(endWhere(userId, selects));
  return {
    list: async (userId) =>
      (await withAvailability(listSessions(redis, userId))).filter(({ by }) => by === ''),
    endById: async (userId, id) => (await end(userId, (session) => session.id === id)) > 0,
    endBound: async (userId, binding) => {
      await end(userId, (session) => session.binding === binding);
    },
    liftRestriction: async (userId, restriction) => {
      const { session } = keysOfUser(userId);
      const restricted = (await withAvailability(listSessions(redis, userId))).filter(
        (candidate) => candidate.restriction === restriction,
      );
      await withAvailability(
        Promise.all(restricted.map(({ name }) => scripts.restrict([session(name)], ['']))),
      );
    },
  };
};

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
  restriction: '',
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
    const restriction = needsSecondFactor ? '1' : '';
    if (isToken(token)) await withAvailability(scripts.restrict([keyOf(token)], [restriction]));
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
    const fields = { user: userId, role, id, authenticated: now, ...NO_DETAILS, ...details };
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
  const check = createCheck({ scripts, clock });
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
