// Time-based one-time passwords (RFC 6238): HMAC-SHA-1 over the number of the 30-second step, cut to six digits. A code of the
// step before or after the current one is accepted, because clocks differ; a step is accepted once.
import { createHmac } from 'node:crypto';

const STEP_SECONDS = 30;
const DIGITS = 6;
/** Steps before and after the current one. */
const SKEW = 1;
/** RFC 4226 recommends 160 bits, the length of a SHA-1 hash. */
export const SECRET_BYTES = 20;

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Base32 (RFC 4648) without padding, the form in which authenticator apps take a secret. */
export const toBase32 = (bytes: Uint8Array): string => {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => ALPHABET[Number.parseInt(group.padEnd(5, '0'), 2)]).join('');
};

export const stepAt = (time: Date): number => Math.floor(time.getTime() / 1000 / STEP_SECONDS);

/** The code of a step, with `digits` digits (RFC 4226, section 5.3). */
export const codeOf = (secret: Uint8Array, step: number, digits = DIGITS): string => {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', secret).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 0xf;
  const number = digest.readUInt32BE(offset) & 0x7f_ff_ff_ff;
  return String(number % 10 ** digits).padStart(digits, '0');
};

/** The step of this code around `time`, after `lastStep`; null for a wrong code and for one that was used. */
export const matchStep = (
  secret: Uint8Array,
  code: string,
  { time, lastStep }: { time: Date; lastStep: number },
): number | null => {
  const current = stepAt(time);
  const steps = Array.from({ length: 2 * SKEW + 1 }, (_, index) => current - SKEW + index);
  return steps.find((step) => step > lastStep && codeOf(secret, step) === code) ?? null;
};
