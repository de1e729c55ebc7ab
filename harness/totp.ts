import { createHmac } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const STEP_MS = 30_000;

const fromBase32 = (text: string): Buffer => {
  const bits = [...text].map((char) => ALPHABET.indexOf(char).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
};

/** The code that an authenticator app with this secret shows, `ahead` steps of half a minute from now. */
export const totpCode = (secret: string, ahead = 0): string => {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / STEP_MS) + ahead));
  const digest = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  const number = digest.readUInt32BE((digest.at(-1) ?? 0) & 0xf) & 0x7f_ff_ff_ff;
  return String(number % 1_000_000).padStart(6, '0');
};
