// Ten codes of 50 random bits, each for one log-in without the authenticator app. They are shown once and stored as keyed hashes, which suffice
// for random codes: slow hashes are for passwords that people choose.
import { randomBytes } from 'node:crypto';
import { actorOf, recordAction } from '@shortlist/audit/audit-log';
import { recoveryCodesRenewed, recoveryCodeUsed } from '@shortlist/contracts/events/identity';
import { RECOVERY_CODES } from '@shortlist/contracts/limits';
import { type Db, inTransaction, type SharedClock, type Tx } from '@shortlist/kit/data/db';
import type { Caller } from '@shortlist/kit/http/service-token';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import type { FactorKeys } from './factor-keys.ts';
import { countRecoveryCodes, lockTotp, replaceRecoveryCodes, useRecoveryCode } from './queries.ts';

/** 32 characters of five bits each, without look-alikes. */
const ALPHABET = '23456789abcdefghijkmnpqrstuvwxyz';
const LENGTH = 10;

const createCode = (): string =>
  [...randomBytes(LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');

/** New codes, without hyphens. */
const createRecoveryCodes = (): string[] => {
  const codes = new Set<string>();
  while (codes.size < RECOVERY_CODES) codes.add(createCode());
  return [...codes];
};

/** The form in which a code is shown. */
const presentCode = (code: string): string => `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`;

/** Replaces the recovery codes of an account. Only the result shows them in readable form. */
export const issueRecoveryCodes = async (
  tx: Tx,
  accountId: string,
  { keys, at }: { keys: FactorKeys; at: Date },
): Promise<string[]> => {
  const codes = createRecoveryCodes();
  const hashes = codes.map((code) => keys.hashesOf(accountId, code)[0]);
  await replaceRecoveryCodes(tx, accountId, { hashes, keyId: keys.id, at });
  return codes.map(presentCode);
};

type Parts = { keys: FactorKeys; clock: Clock; sharedClock: SharedClock };

export const renewRecoveryCodes = async (
  tx: Tx,
  { accountId, caller }: { accountId: string; caller: Caller },
  { keys, clock, sharedClock }: Parts,
): Promise<string[]> => {
  // The lock serializes this with turning off two-step verification, which deletes the codes.
  const totp = await lockTotp(tx, accountId);
  if (!totp?.confirmedAt) throw createError('identity.totp_off');
  const by = caller.userId ?? accountId;
  await emit(tx, recoveryCodesRenewed, { subject: accountId, data: { by }, clock });
  await recordAction(tx, {
    action: 'factor.renew_codes',
    targetId: accountId,
    clock,
    ...actorOf(caller, accountId),
  });
  return issueRecoveryCodes(tx, accountId, { keys, at: await sharedClock(tx) });
};

/** Verifies and uses up a recovery code, which the user is notified of by email. Throws `identity.recovery_code_wrong`. */
export const verifyRecoveryCode = async (
  db: Db,
  { accountId, code }: { accountId: string; code: string },
  { keys, clock }: { keys: FactorKeys; clock: Clock },
): Promise<void> => {
  const hashes = keys.hashesOf(accountId, code);
  await inTransaction(db, async (tx) => {
    if (!(await useRecoveryCode(tx, accountId, { hashes, at: clock() })))
      throw createError('identity.recovery_code_wrong');
    const left = await countRecoveryCodes(tx, accountId);
    await emit(tx, recoveryCodeUsed, { subject: accountId, data: { left }, clock });
  });
};
