import type { Tx } from '@shortlist/kit/data/db';
import type { Caller } from '@shortlist/kit/http/service-token';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import type { FactorKeys } from './factor-keys.ts';
import { confirmSecret, findTotp } from './queries.ts';
import { recordAddedFactor } from './record-factor.ts';
import { issueRecoveryCodes } from './renew-recovery-codes.ts';
import { matchStep } from './totp.ts';

type Confirmation = { accountId: string; code: string; caller: Caller; keys: FactorKeys; clock: Clock };

/** Turns two-step verification on, when the code is one of the pending secret, and returns the recovery codes. */
export const confirmTotp = async (
  tx: Tx,
  { accountId, code, caller, keys, clock }: Confirmation,
): Promise<string[]> => {
  const row = await findTotp(tx, accountId);
  if (row === null) throw createError('identity.totp_off');
  if (row.confirmedAt !== null) throw createError('identity.totp_on');
  const at = clock();
  const step = matchStep(keys.open(accountId, row), code, { time: at, lastStep: row.lastStep });
  if (step === null) throw createError('identity.code_wrong');
  if (!(await confirmSecret(tx, row, { step, at }))) throw createError('identity.totp_on');
  await recordAddedFactor(tx, { accountId, factor: 'totp', caller, clock });
  return issueRecoveryCodes(tx, accountId, { keys, clock });
};
