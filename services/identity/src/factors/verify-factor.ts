import { recoveryCodeUsed } from '@shortlist/contracts/events/identity';
import { type Db, inTransaction, type SharedClock, type Tx } from '@shortlist/kit/data/db';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import type { FactorKeys } from './factor-keys.ts';
import { countRecoveryCodes, findTotp, useRecoveryCode, useStep } from './queries.ts';
import { matchStep } from './totp.ts';

type Parts = { keys: FactorKeys; clock: Clock };

/**
 * Verifies a code of the authenticator app and uses its time step up. Throws `identity.code_wrong`. The time is the one that all processes
 * share: a process whose clock is ahead would use up steps that have not begun.
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

/** Verifies a recovery code and uses it up, which its user reads by mail. Throws `identity.recovery_code_wrong`. */
export const verifyRecoveryCode = async (
  db: Db,
  { accountId, code }: { accountId: string; code: string },
  { keys, clock }: Parts,
): Promise<void> => {
  const hashes = keys.hashesOf(accountId, code);
  await inTransaction(db, async (tx) => {
    if (!(await useRecoveryCode(tx, accountId, { hashes, at: clock() })))
      throw createError('identity.recovery_code_wrong');
    const left = await countRecoveryCodes(tx, accountId);
    await emit(tx, recoveryCodeUsed, { subject: accountId, data: { left }, clock });
  });
};
