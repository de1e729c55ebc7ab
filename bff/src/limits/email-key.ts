import { createHash } from 'node:crypto';

/** Names an e-mail address in a key of Redis, which must not contain the address itself. */
export const emailKey = (email: string): string => createHash('sha256').update(email).digest('base64url');
