// The form of an API key: sl_live_, the hash tag of its user, 32 random characters, and a checksum, by which scanners for leaked secrets
// recognize a key without asking us.
import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { tagOfUser } from '@shortlist/kit/http/access-token';

export type KeyEnvironment = 'live' | 'test';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Six digits of base 62 hold 32 bits. */
const CHECKSUM_LENGTH = 6;
const KEY = /^sl_(live|test)_([A-Za-z0-9_-]{16})[A-Za-z0-9]{38}$/;

const checksumOf = (text: string): string => {
  let digits = '';
  for (let rest = crc32(text); digits.length < CHECKSUM_LENGTH; rest = Math.floor(rest / 62))
    digits = DIGITS.charAt(rest % 62) + digits;
  return digits;
};

/** What is stored instead of a key. */
export const hashOfKey = (key: string): string => hash('sha256', key, 'base64url');

/** A new key of a user. `hint` is what the user recognizes it by. */
export const createKey = (
  environment: KeyEnvironment,
  userId: string,
): { key: string; hash: string; hint: string } => {
  const secret = Array.from({ length: 32 }, () => DIGITS.charAt(randomInt(DIGITS.length))).join('');
  const start = `sl_${environment}_`;
  const text = `${start}${tagOfUser(userId)}${secret}`;
  const key = `${text}${checksumOf(text)}`;
  return { key, hash: hashOfKey(key), hint: `${start}…${key.slice(-4)}` };
};

/** The hash tag in a key of this environment; null for any other text, which needs no query. */
export const tagOfKey = (environment: KeyEnvironment, text: string): string | null => {
  const [, of, tag] = KEY.exec(text) ?? [];
  if (tag === undefined || of !== environment) return null;
  const body = text.slice(0, -CHECKSUM_LENGTH);
  return text === `${body}${checksumOf(body)}` ? tag : null;
};

/** Whether a text looks like a key or an access token, whole or not. */
export const looksLikeKey = (text: string): boolean => /sl_(live|test)_|slt_/.test(text);
