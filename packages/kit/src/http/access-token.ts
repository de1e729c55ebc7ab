// The form of an access token: slt_, the hash tag of its user, and 256 random bits. A user's keys in Redis share the tag, so that they are on
// one node of a cluster and a script can use them together; the tag in the token finds them without a look-up.
import { hash } from 'node:crypto';

const TAG_LENGTH = 16;
const TOKEN = /^slt_([A-Za-z0-9_-]{16})[A-Za-z0-9_-]{43}$/;

/** The hash tag of a user, from which the user's id cannot be derived. */
export const tagOfUser = (userId: string): string =>
  hash('sha256', `sessions of ${userId}`, 'base64url').slice(0, TAG_LENGTH);

/** `secret`: 256 random bits in base64url. */
export const accessTokenOf = (userId: string, secret: string): string => `slt_${tagOfUser(userId)}${secret}`;

/** The hash tag in an access token; null for any other text, which needs no database query. */
export const tagOfAccessToken = (text: string): string | null => TOKEN.exec(text)?.[1] ?? null;

const TAG = /^slt_[A-Za-z0-9_-]{16}(?=[A-Za-z0-9_-]{43}$)/;

/** The hash that is stored instead of a token or a code: SHA-256 in base64url; of an access token, only its secret is hashed. */
export const hashOfToken = (token: string): string => hash('sha256', token.replace(TAG, ''), 'base64url');
