import { randomBytes } from 'node:crypto';
import { isDuplicate, type Tx } from '@shortlist/kit/data/db';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import { findAccount, lockAccount } from '../accounts/queries.ts';
import type { FactorKeys } from './factor-keys.ts';
import { replacePendingTotp } from './queries.ts';
import { SECRET_BYTES, toBase32 } from './totp.ts';

type Parts = { keys: FactorKeys; clock: Clock };

/** Creates a secret that counts once a code confirms it. Until then each start replaces it. */
export const startTotp = async (
  tx: Tx,
  accountId: string,
  { keys, clock }: Parts,
): Promise<{ secret: string; email: string }> => {
  // The lock keeps the account until the secret is stored.
  const account = (await lockAccount(tx, accountId)) ? await findAccount(tx, accountId) : null;
  if (account === null) throw createError('identity.user_not_found');
  const secret = randomBytes(SECRET_BYTES);
  try {
    await replacePendingTotp(tx, {
      ...{ accountId, ...keys.seal(accountId, secret) },
      ...{ lastStep: 0, createdAt: clock(), confirmedAt: null },
    });
  } catch (cause) {
    if (isDuplicate(cause)) throw createError('identity.totp_on', { cause });
    throw cause;
  }
  return { secret: toBase32(secret), email: account.email };
};
