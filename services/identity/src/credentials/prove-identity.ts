import type { IdentityProof } from '@shortlist/contracts/api/factors';
import type { Db } from '@shortlist/kit/data/db';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import type { AccountRow } from '../accounts/account.entity.ts';
import { findAccount } from '../accounts/queries.ts';
import type { FactorKeys } from '../factors/factor-keys.ts';
import { verifyRecoveryCode, verifyTotp } from '../factors/verify-factor.ts';
import { verifyPasskey } from '../factors/verify-passkey.ts';
import type { Hasher } from '../passwords/hasher.ts';
import { assertCurrentPassword } from './verify-credentials.ts';

type Parts = { db: Db; hasher: Hasher; keys: FactorKeys; clock: Clock };

/** Verifies one proof of an account: its password, a code, a recovery code or a passkey. Throws the error of that proof. */
export const proveIdentity = async (
  parts: Parts,
  accountId: string,
  { proof, signal }: { proof: IdentityProof; signal: AbortSignal },
): Promise<AccountRow> => {
  const { db, hasher } = parts;
  const account = await findAccount(db.manager, accountId);
  if (account === null) throw createError('identity.user_not_found');
  if ('password' in proof) await assertCurrentPassword(hasher, account, { password: proof.password, signal });
  else if ('code' in proof) await verifyTotp(db.manager, { accountId, code: proof.code }, parts);
  else if ('recoveryCode' in proof)
    await verifyRecoveryCode(db, { accountId, code: proof.recoveryCode }, parts);
  // Beside a password, the possession of a security key without a PIN is enough.
  else await verifyPasskey(parts, { ceremony: proof.passkey, accountId, requireUserVerification: false });
  return account;
};
