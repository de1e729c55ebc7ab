// Time-based one-time passwords (RFC 6238): HMAC-SHA-1 over the number of the 30-second step, truncated to six digits. Codes of the previous
// and the next step are accepted too, because clocks differ; each step is accepted once.
import { createHmac, randomBytes } from 'node:crypto';
import { isDuplicate, type SharedClock, type Tx } from '@shortlist/kit/data/db';
import type { Caller } from '@shortlist/kit/http/service-token';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import { findAccount, lockAccount } from '../accounts/queries.ts';
import { recordAddedFactor } from './change-factors.ts';
import type { FactorKeys } from './factor-keys.ts';
import { confirmSecret, findTotp, replacePendingTotp, useStep } from './queries.ts';
import { issueRecoveryCodes } from './recovery-codes.ts';

const STEP_SECONDS = 30;
const DIGITS = 6;
/** Steps before and after the current one. */
const SKEW = 1;
/** RFC 4226 recommends 160 bits, the length of a SHA-1 hash. */
const SECRET_BYTES = 20;

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

/** The step of this code around `time` and after `lastStep`; null if the code is wrong or used. */
export const matchStep = (
  secret: Uint8Array,
  code: string,
  { time, lastStep }: { time: Date; lastStep: number },
): number | null => {
  const current = stepAt(time);
  const steps = Array.from({ length: 2 * SKEW + 1 }, (_, index) => current - SKEW + index);
  return steps.find((step) => step > lastStep && codeOf(secret, step) === code) ?? null;
};

/**
 * Verifies a code of the authenticator app and uses up its time step. Throws `identity.code_wrong`. Uses the shared clock: a process whose
 * clock is ahead would use up future steps.
 */
export const verifyTotp = async (
  tx: Tx,
  { accountId, code }: { accountId: string; code: string },
  { keys, sharedClock }: { keys: FactorKeys; sharedClock: SharedClock },
): Promise<void> => {
  const row = await findTotp(tx, accountId);
  if (!row?.confirmedAt) throw createError('identity.code_wrong');
  const { lastStep } = row;
  const step = matchStep(keys.open(accountId, row), code, { time: await sharedClock(tx), lastStep });
  if (step === null || !(await useStep(tx, accountId, step))) throw createError('identity.code_wrong');
};

type Parts = { keys: FactorKeys; clock: Clock };

/** Creates a secret, which takes effect once a code confirms it. Until then, starting again replaces it. */
export const startTotp = async (
  tx: Tx,
  accountId: string,
  { keys, clock }: Parts,
): Promise<{ secret: string; email: string }> => {
  // The lock prevents deleting the account until the secret is stored.
  const account = (await lockAccount(tx, accountId)) ? await findAccount(tx, accountId) : null;
  if (account === null) throw createError('identity.user_not_found');
  const secret = randomBytes(SECRET_BYTES);
  try {
    await replacePendingTotp(tx, {
      accountId,
      ...keys.seal(accountId, secret),
      lastStep: 0,
      createdAt: clock(),
      confirmedAt: null,
    });
  } catch (cause) {
    if (isDuplicate(cause)) throw createError('identity.totp_on', { cause });
    throw cause;
  }
  return { secret: toBase32(secret), email: account.email };
};

type Confirmation = { accountId: string; code: string; caller: Caller };

/** Turns on two-step verification if the code matches the pending secret, and returns the recovery codes. */
export const confirmTotp = async (
  tx: Tx,
  { accountId, code, caller }: Confirmation,
  { keys, clock, sharedClock }: Parts & { sharedClock: SharedClock },
): Promise<string[]> => {
  const row = await findTotp(tx, accountId);
  if (row === null) throw createError('identity.totp_off');
  if (row.confirmedAt !== null) throw createError('identity.totp_on');
  const now = await sharedClock(tx);
  const step = matchStep(keys.open(accountId, row), code, { time: now, lastStep: row.lastStep });
  if (step === null) throw createError('identity.code_wrong');
  if (!(await confirmSecret(tx, row, { step, at: now }))) throw createError('identity.totp_on');
  await recordAddedFactor(tx, { accountId, factor: 'totp', caller, clock });
  return issueRecoveryCodes(tx, accountId, { keys, at: now });
};
