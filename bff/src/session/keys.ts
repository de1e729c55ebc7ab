import { hash, randomBytes } from 'node:crypto';

// The keys of a user share a hash tag, so that they are on one node of a Redis Cluster and a script can use them together. The
// token contains the tag: its session is found without a look-up.
const TAG_LENGTH = 16;
const TOKEN = /^[A-Za-z0-9_-]{16}\.[A-Za-z0-9_-]{43}$/;

const hashOf = (text: string): string => hash('sha256', text, 'base64url');

/** The hash tag of a user, from which the user's id cannot be derived. */
export const tagOfUser = (userId: string): string => hashOf(`sessions of ${userId}`).slice(0, TAG_LENGTH);

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
