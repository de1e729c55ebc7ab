import { randomUUID } from 'node:crypto';
import { type AdminAccess, type AdminRole, may } from '@shortlist/contracts/admin-permissions';
import {
  SESSION_ABSOLUTE_SECONDS,
  SESSION_IDLE_SECONDS,
  SESSIONS_OF_USER_MAX,
  VIEWING_SECONDS,
} from '@shortlist/contracts/limits';
import type { Clock } from '@shortlist/kit/process/clock';
import type { Redis } from '@shortlist/kit/data/redis';
import { withAvailability } from './availability.ts';
import { createToken, isToken, keysOfToken, keysOfUser, nameOfSession } from './keys.ts';
import { type CheckReply, defineSessionScripts, type SessionScripts } from './scripts.ts';
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
  /** What an admin may do now; null for a user. */
  adminRole: AdminRole | null;
  /** The admin who views the product as the user; null in the user's own session. */
  viewerId: string | null;
};

/** Where a session began. Names of products and places, '' where unknown. */
export type SessionDetails = {
  browser: string;
  system: string;
  /** The network of the client's address. */
  network: string;
  place: string;
  /** The hash of the browser's binding cookie; '' for a client that is not a browser, whose session needs none. */
  binding: string;
  /** '1' for an admin who has to set up a second factor first; '' otherwise. */
  restriction: '' | '1';
  /** The admin who views the product as the user, and the name of the admin's session; '' in the user's own session. */
  by: string;
  bySession: string;
};

/** An admin who views the product as a user, with the token and the binding of the admin's session. */
export type Viewer = { id: string; token: string; binding: string };

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
  end: (token: string) => Promise<void>;
  /** Ends a user's sessions that began before `at`, a time of a shared server's clock; the session of `except` stays. */
  endAllBefore: (userId: string, at: Date, except?: string) => Promise<void>;
};

const IDLE_MS = SESSION_IDLE_SECONDS * 1000;
const VIEWING_MS = VIEWING_SECONDS * 1000;
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

type Lifetimes = { idleMs: number; absoluteMs: number };

const FULL: Lifetimes = { idleMs: IDLE_MS, absoluteMs: ABSOLUTE_MS };
const VIEWING: Lifetimes = { idleMs: VIEWING_MS, absoluteMs: VIEWING_MS };

const createBegin = ({ redis, scripts, clock }: Store): Pick<Sessions, 'begin' | 'beginViewing'> => {
  const begin = async (
    owner: SessionOwner,
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
    const values = [name, now, idleMs, now + absoluteMs, SESSIONS_OF_USER_MAX, ...access];
    const beyond = await withAvailability(
      scripts.begin(
        [keys.session(name), keys.mark, keys.names, keys.access],
        [...values, ...Object.entries(fields).flat()],
      ),
    );
    if (beyond.length > 0) await withAvailability(redis.del(beyond.map(keys.session)));
    return { token, id, remainingSeconds: idleMs / 1000 };
  };
  return {
    begin: (owner, details = {}) => begin(owner, details, FULL),
    beginViewing: (userId, { id: by, token, binding }) =>
      begin({ userId, role: 'user' }, { by, bySession: nameOfSession(token), binding }, VIEWING),
  };
};

type Checked = { keys: string[]; bindings: Bindings };

/** Whether the session of the admin who views the product as a user still allows that. */
const createViewerCheck = ({ scripts, clock }: Omit<Store, 'redis'>) => {
  const read = ({ keys, bindings }: Checked): Promise<CheckReply | null> =>
    withAvailability(
      scripts.check(keys, [clock().getTime(), IDLE_MS, TOUCH_MS, bindings.user, bindings.admin]),
    );
  const mayView = async ([, , , , , , , by, bySession]: CheckReply, bindings: Bindings): Promise<boolean> => {
    if (by === '') return true;
    const { session, mark, access } = keysOfUser(by);
    const viewer = await read({ keys: [session(bySession), mark, access], bindings });
    return viewer !== null && may(viewer[6] === '' ? null : viewer[6], 'impersonate');
  };
  return { read, mayView };
};

const present = ([
  userId,
  role,
  left,
  id,
  authenticatedAt,
  restriction,
  adminRole,
  by,
]: CheckReply): Session => ({
  ...{ id, userId, role },
  remainingSeconds: Math.floor(left / 1000),
  authenticatedAt: Number(authenticatedAt),
  needsSecondFactor: restriction === '1',
  adminRole: adminRole === '' ? null : adminRole,
  viewerId: by === '' ? null : by,
});

export const createSessions = (redis: Redis, clock: Clock): Sessions => {
  const scripts = defineSessionScripts(redis);
  const viewerCheck = createViewerCheck({ scripts, clock });
  const keyOf = (token: string): string => keysOfToken(token).session(nameOfSession(token));
  return {
    ...createSessionList(redis, scripts),
    ...createBegin({ redis, scripts, clock }),
    check: async (token, bindings = NO_BINDINGS) => {
      if (!isToken(token)) return null;
      const { mark, access } = keysOfToken(token);
      const found = await viewerCheck.read({ keys: [keyOf(token), mark, access], bindings });
      return found !== null && (await viewerCheck.mayView(found, bindings)) ? present(found) : null;
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
