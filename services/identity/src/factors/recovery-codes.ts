// Ten codes of 50 random bits open an account once each, when the authenticator app is lost. They are shown once and stored as
// keyed hashes: a slow hash is for passwords, which people choose; these are random.
import { randomBytes } from 'node:crypto';
import { RECOVERY_CODES } from '@shortlist/contracts/limits';

/** 32 characters, five bits each, without those that look alike. */
const ALPHABET = '23456789abcdefghijkmnpqrstuvwxyz';
const LENGTH = 10;

const createCode = (): string =>
  [...randomBytes(LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');

/** New codes, without hyphens. */
export const createRecoveryCodes = (): string[] => {
  const codes = new Set<string>();
  while (codes.size < RECOVERY_CODES) codes.add(createCode());
  return [...codes];
};

/** The form in which a code is shown. */
export const presentCode = (code: string): string => `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`;
