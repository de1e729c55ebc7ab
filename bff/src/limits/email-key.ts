import { hash } from 'node:crypto';

/** Names an e-mail address in a key of Redis, which must not contain the address itself. */
export const emailKey = (email: string): string => hash('sha256', email, 'base64url');
