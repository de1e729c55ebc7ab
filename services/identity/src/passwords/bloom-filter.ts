import { createHash } from 'node:crypto';

/**
 * A set of texts in few bits, which can be searched and not listed: it contains every text that was added, and by chance a few
 * others. With `bits` of 19.2 per text and 13 hashes, one of 10,000 other texts is contained.
 */
const BITS_PER_TEXT = 19.2;
const HASHES = 13;

/** The bits of a text, by double hashing: 13 positions from two halves of one digest (Kirsch and Mitzenmacher). */
const positionsOf = (text: string, bits: number): number[] => {
  const digest = createHash('sha256').update(text).digest();
  const [first, second] = [digest.readUInt32BE(0), digest.readUInt32BE(4) | 1];
  return Array.from({ length: HASHES }, (_, index) => (first + index * (second >>> 0)) % bits);
};

export const containsText = (filter: Uint8Array, text: string): boolean =>
  positionsOf(text, filter.length * 8).every(
    (position) => ((filter[position >>> 3] ?? 0) & (1 << (position & 7))) !== 0,
  );

/** Adds the texts to a filter of the size that suits their number. */
export const buildFilter = (texts: readonly string[]): Uint8Array => {
  const filter = new Uint8Array(Math.ceil((texts.length * BITS_PER_TEXT) / 8));
  for (const text of texts)
    for (const position of positionsOf(text, filter.length * 8))
      filter[position >>> 3] = (filter[position >>> 3] ?? 0) | (1 << (position & 7));
  return filter;
};
