import { hash, randomBytes } from 'node:crypto';
import type { Right } from '@shortlist/contracts/api/endpoint';
import type { AdminRole } from '@shortlist/contracts/admin-permissions';
import type { AdminAccess } from '@shortlist/contracts/api/team';
import { tagOfUser } from '@shortlist/kit/http/access-token';
import { createError } from '@shortlist/kit/process/errors';

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
  /** The admin who views the product as the user; null in the user's own session. */
  viewerId: string | null;
  /** What a request of the session stands on. */
  rights: readonly Right[];
};

/** What keeps a session from everything else: the set-up of a second factor, or a deletion of the account. */
export type Restriction = 'none' | 'second_factor' | 'deletion';

/** How Redis has it, which processes of other releases read as well. */
export const STORED_RESTRICTION: Readonly<Record<Restriction, string>> = {
  none: '',
  second_factor: '1',
  deletion: 'deletion',
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
  restriction: Restriction;
  /** The admin who views the product as the user, and the name of the admin's session; '' in the user's own session. */
  by: string;
  bySession: string;
};

/** An admin who views the product as a user, with the token and the binding of the admin's session. */
export type Viewer = { id: string; token: string; binding: string };

/**
 * Whose session begins, with the generation of the account that was read together with the credentials. An admin's session is good
 * for nothing without what the admin may do.
 */
export type SessionOwner<Generation = number> = { userId: string; generation: Generation } & (
  { role: 'user' } | { role: 'admin'; access: AdminAccess }
);

/** The hashes of a request's binding cookies; '' without one. A browser can have a session of each role. */
export type Bindings = Record<SessionRole, string>;

// The keys of a user share a hash tag, so that they are on one node of a Redis Cluster and a script can use them together. The
// token contains the tag: its session is found without a look-up.
const TAG_LENGTH = 16;
const TOKEN = /^[A-Za-z0-9_-]{16}\.[A-Za-z0-9_-]{43}$/;

const hashOf = (text: string): string => hash('sha256', text, 'base64url');

/** A new token: the user's tag and 256 random bits. */
export const createToken = (userId: string): string =>
  `${tagOfUser(userId)}.${randomBytes(32).toString('base64url')}`;

export const isToken = (token: string): boolean => TOKEN.test(token);

/** What Redis stores of a token: its hash. */
export const nameOfSession = hashOf;

export type UserKeys = {
  /** The key of one session. */
  session: (name: string) => string;
  /** The least generation whose sessions are accepted. */
  generation: string;
  /** The names of the user's sessions, by the time at which they end at the latest. */
  names: string;
  /** What the user may do as an admin. */
  access: string;
  /** The devices that skip the second step of the user. */
  trustedDevices: string;
};

const keysOfTag = (tag: string): UserKeys => ({
  session: (name) => `session:{${tag}}:${name}`,
  generation: `generation:{${tag}}`,
  names: `sessions:{${tag}}`,
  access: `admin-access:{${tag}}`,
  trustedDevices: `trusted-devices:{${tag}}`,
});

export const keysOfUser = (userId: string): UserKeys => keysOfTag(tagOfUser(userId));

export const tagOfToken = (token: string): string => token.slice(0, TAG_LENGTH);

export const keysOfToken = (token: string): UserKeys => keysOfTag(tagOfToken(token));

/** The channel on which Redis publishes the tag of a user of whom a session has ended, or whose sessions may do less. */
export const ENDED_CHANNEL = 'sessions-ended';

/** The result of work with the session store; a failure means that the store is away. */
export const withAvailability = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (cause) {
    throw createError('session.unavailable', { cause, retryAfterSeconds: 2 });
  }
};
