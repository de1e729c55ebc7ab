import { randomUUID } from 'node:crypto';
import type { AdminAccess, AdminRole } from '@shortlist/contracts/admin-permissions';
import {
  SESSION_ABSOLUTE_SECONDS,
  SESSION_IDLE_SECONDS,
  SESSIONS_OF_USER_MAX,
} from '@shortlist/contracts/limits';
import type { Clock } from '@shortlist/kit/process/clock';
import type { Redis } from '@shortlist/kit/data/redis';
import { withAvailability } from './availability.ts';
import { createToken, isToken, keysOfToken, keysOfUser, nameOfSession } from './keys.ts';
import { defineSessionScripts, type SessionScripts } from './scripts.ts';
import { createSessionList, type SessionList } from './session-list.ts';

export type SessionRole = 'user' | 'admin';
export type Session = {
  /** Names the session; it gives no access, unlike the token. */
  id: string;
  userId: string;
  role: SessionRole;
  remainingSeconds: number;
  /** When the user last proved who they are in this session, in ms since the epoch. */
  authenticatedAt: number;
  /** An admin who has to set up a second factor, and may do nothing else before. */
  needsSecondFactor: boolean;
  /** A user whose account is about to be deleted, and who may only keep it. */
  isBeingDeleted: boolean;
  /** What an admin may do now; null for a user. */
  adminRole: AdminRole | null;
};

/** What keeps a session from everything else: the set-up of a second factor, or a deletion of the account. */
export type Restriction = '' | '1' | 'deletion';

/** Where a session began. Names of products and places, '' where unknown. */
export type SessionDetails = {
  browser: string;
  system: string;
  /** The network of the client's address. */
  network: string;
  place: string;
  /** The hash of the browser's binding cookie; '' for a client that is not a browser, whose session needs none. */
  binding: string;
  /** '1' for an admin who has to set up a second factor first. */
  restriction: Restriction;
};

/** Whose session begins. An admin's is good for nothing without what the admin may do. */
export type SessionOwner =
  { userId: string; role: 'user' } | { userId: string; role: 'admin'; access: AdminAccess };

/** The hashes of a request's binding cookies; '' without one. A browser can have a session of each role. */
export type Bindings = Record<SessionRole, string>;

export type Sessions = SessionList & {
  /** Begins a session. The token has 256 random bits; Redis stores only its hash. */
  begin: (
    owner: SessionOwner,
    details?: Partial<SessionDetails>,
  ) => Promise<{ token: string; id: string; remainingSeconds: number }>;
  /** One round trip. Returns null for a token that is unknown, expired, ended, or bound to another browser. */
  check: (token: string, bindings?: Bindings) => Promise<Session | null>;
  /** Records that the user has just proved again who they are. */
  reauthenticated: (token: string) => Promise<void>;
  /** Records whether the admin of this session has to set up a second factor first. */
  restrict: (token: string, needsSecondFactor: boolean) => Promise<void>;
  /** Sets what the sessions of an admin may do from now on, unless a later version is known. */
  setAccess: (userId: string, access: AdminAccess) => Promise<void>;
  end: (token: string) => Promise<void>;
  /** Ends a user's sessions that began before `at`, a time of a shared server's clock; the session of `except` stays. */
  endAllBefore: (userId: string, at: Date, except?: string) => Promise<void>;
};

const IDLE_MS = SESSION_IDLE_SECONDS * 1000;
const ABSOLUTE_MS = SESSION_ABSOLUTE_SECONDS * 1000;
/** How old the recorded use of a session must be before a check extends the session, so that not every check writes. */
const TOUCH_MS = 60_000;

const NO_DETAILS: SessionDetails = {
  browser: '',
  system: '',
  network: '',
  place: '',
  binding: '',
  restriction: '',
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
      scripts.setAccess([keysOfUser(userId).access], [version, role ?? '', ABSOLUTE_MS + IDLE_MS]),
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

type Store = { redis: Redis; scripts: SessionScripts; clock: Clock };

const createBegin =
  ({ redis, scripts, clock }: Store): Sessions['begin'] =>
  async (owner, details = {}) => {
    const { userId, role } = owner;
    const [token, id] = [createToken(userId), randomUUID()];
    const keys = keysOfUser(userId);
    const name = nameOfSession(token);
    const now = clock().getTime();
    const fields = { user: userId, role, id, authenticated: now, ...NO_DETAILS, ...details };
    const access = owner.role === 'admin' ? [owner.access.version, owner.access.role ?? ''] : ['', ''];
    const values = [name, now, IDLE_MS, now + ABSOLUTE_MS, SESSIONS_OF_USER_MAX, ...access];
    const beyond = await withAvailability(
      scripts.begin(
        [keys.session(name), keys.mark, keys.names, keys.access],
        [...values, ...Object.entries(fields).flat()],
      ),
    );
    if (beyond.length > 0) await withAvailability(redis.del(beyond.map(keys.session)));
    return { token, id, remainingSeconds: IDLE_MS / 1000 };
  };

export const createSessions = (redis: Redis, clock: Clock): Sessions => {
  const scripts = defineSessionScripts(redis);
  const keyOf = (token: string): string => keysOfToken(token).session(nameOfSession(token));
  return {
    ...createSessionList(redis, scripts),
    begin: createBegin({ redis, scripts, clock }),
    check: async (token, bindings = NO_BINDINGS) => {
      if (!isToken(token)) return null;
      const values = [clock().getTime(), IDLE_MS, TOUCH_MS, bindings.user, bindings.admin];
      const { mark, access } = keysOfToken(token);
      const found = await withAvailability(scripts.check([keyOf(token), mark, access], values));
      if (found === null) return null;
      const [userId, role, left, id, authenticatedAt, restriction, adminRole] = found;
      return {
        ...{ id, userId, role },
        remainingSeconds: Math.floor(left / 1000),
        authenticatedAt: Number(authenticatedAt),
        needsSecondFactor: restriction === '1',
        isBeingDeleted: restriction === 'deletion',
        adminRole: adminRole === '' ? null : adminRole,
      };
    },
    ...createChanges(scripts, { keyOf, clock }),
    end: async (token) => {
      if (!isToken(token)) return;
      const { names } = keysOfToken(token);
      await withAvailability(scripts.end([keyOf(token), names], [nameOfSession(token)]));
    },
    endAllBefore: async (userId, at, except) => {
      const { mark, session } = keysOfUser(userId);
      const keptKey = session(except === undefined ? 'none' : nameOfSession(except));
      await withAvailability(scripts.endAll([mark, keptKey], [at.getTime(), ABSOLUTE_MS + IDLE_MS]));
    },
  };
};
