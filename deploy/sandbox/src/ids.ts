import { randomBytes } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

export const randomText = (length: number): string =>
  Array.from(randomBytes(length), (byte) => ALPHABET[byte % ALPHABET.length]).join('');

export const newId = (prefix: string, length = 24): string => `${prefix}_${randomText(length)}`;

/** The id behind a field that Stripe's types allow to hold an id or the whole object. */
export const refId = (reference: string | { id: string } | null | undefined): string | null => {
  if (reference === null || reference === undefined) return null;
  return typeof reference === 'string' ? reference : reference.id;
};
