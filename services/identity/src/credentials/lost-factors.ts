import { randomBytes } from 'node:crypto';
import { passwordResetRequested } from '@shortlist/contracts/events/identity';
import { type Db, inTransaction, type Tx } from '@shortlist/kit/data/db';
import { type Caller, SERVICE_CALLER } from '@shortlist/kit/http/service-token';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import { normalPassword } from '@shortlist/contracts/password.rules';
import { findAccountByEmail } from '../accounts/queries.ts';
import { removeAllFactors } from '../factors/change-factors.ts';
import type { Hasher } from '../passwords.ts';
import { changePassword } from './change-password.ts';

type Parts = { db: Db; hasher: Hasher; clock: Clock };
type Removal = { accountId: string; reason: string; caller: Caller };

/**
 * Removes the factors of an account whose user has lost them. The password stops working at the same time, and a link to set another is
 * emailed: otherwise a person who knows the password could log in first and set up their own factors. `assertAllowed` locks the accounts
 * concerned. Throws `identity.totp_off` if there is no factor.
 */
export const removeLostFactors = async (
  { db, hasher, clock }: Parts,
  { accountId: id, reason, caller }: Removal,
  assertAllowed: (tx: Tx) => Promise<unknown>,
): Promise<void> => {
  const passwordHash = await hasher.hash(randomBytes(32).toString('base64url'));
  await inTransaction(db, async (tx) => {
    await assertAllowed(tx);
    if (!(await removeAllFactors(tx, { accountId: id, caller, clock, reason })))
      throw createError('identity.totp_off');
    await changePassword(tx, { id, passwordHash, caller, clock });
    await emit(tx, passwordResetRequested, { subject: id, data: {}, clock });
  });
};

const REASON = 'Removed by the operator';

type Recovery = { email: string; password: string; removesFactors?: boolean };
type Recovered = { password: 'changed' | 'unchanged'; factors: 'removed' | 'none' };

/**
 * Sets the password of the admin with this email, and removes lost factors in the same step. Ends the admin's sessions and is recorded. Setting
 * only the same password changes nothing. Returns null if no admin has the email.
 */
export const recoverAdmin = async (
  { db, hasher, clock }: Parts,
  { email, password, removesFactors = false }: Recovery,
): Promise<Recovered | null> => {
  const account = await findAccountByEmail(db.manager, email, 'admin');
  if (account === null) return null;
  const { id } = account;
  const isSame = await hasher.verify(account.passwordHash, normalPassword(password));
  if (isSame && !removesFactors) return { password: 'unchanged', factors: 'none' };
  const passwordHash = await hasher.hash(password);
  return inTransaction(db, async (tx) => {
    const removal = { accountId: id, caller: SERVICE_CALLER, clock, reason: REASON };
    const isRemoved = removesFactors && (await removeAllFactors(tx, removal));
    await changePassword(tx, { id, passwordHash, caller: SERVICE_CALLER, clock });
    return { password: 'changed', factors: isRemoved ? 'removed' : 'none' };
  });
};
