import { randomBytes } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

export const randomText = (length: number): string =>
  Array.from(randomBytes(length), (byte) => ALPHABET[byte % ALPHABET.length]).join('');

export const newId = (prefix: string, length = 24): string => `${prefix}_${randomText(length)}`;

/** Returns the id of a field that contains either an id or the expanded object. */
export const refId = (reference: string | { id: string } | null | undefined): string | null => {
  if (reference === null || reference === undefined) return null;
  return typeof reference === 'string' ? reference : reference.id;
};
