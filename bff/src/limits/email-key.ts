import { hash } from 'node:crypto';

/** Names an e-mail address in a key of Redis, which must not contain the address itself. */
export const emailKey = (email: string): string => hash('sha256', email, 'base64url');

/** ada+1@ and ada+2@ are two addresses of the mailbox ada@. */
const mailboxOf = (email: string): string => email.replace(/\+[^@]*(?=@)/, '');

export const isAlias = (email: string): boolean => mailboxOf(email) !== email;

/** Names the mailbox of an address, which is one for all its aliases. */
export const mailboxKey = (email: string): string => emailKey(mailboxOf(email));
