const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The bytes of a secret that an authenticator app gets in base32. */
export const secretIn = (text: string): Buffer => {
  const bits = [...text].map((char) => ALPHABET.indexOf(char).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
};
