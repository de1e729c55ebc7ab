import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** What proves that a value of a cookie, a token or a link is ours. The first key signs, all verify. */
export type Signer = {
  sign: (value: string) => string;
  verify: (value: string, signature: string) => boolean;
};

/** Compares two texts in constant time. */
const sameText = (one: string, other: string): boolean => {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
};

/** `purpose`: what is signed, so that a signature of one thing is none of another; by default, page tokens. */
export const createSigner = (keys: readonly string[], purpose?: string, length = 43): Signer => {
  const [sign, ...older] = keys
    .map((key) => (purpose === undefined ? key : Buffer.from(hkdfSync('sha256', key, '', purpose, 32))))
    .map(
      (key) => (value: string) =>
        createHmac('sha256', key).update(value).digest('base64url').slice(0, length),
    );
  if (sign === undefined) throw new TypeError('no key');
  return {
    sign,
    verify: (value, signature) => [sign, ...older].some((signWith) => sameText(signature, signWith(value))),
  };
};
