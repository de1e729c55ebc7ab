import type { RegisteredUser } from '@shortlist/contracts/api/identity';
import { emailVerified } from '@shortlist/contracts/events/identity';
import { type Db, inTransaction, type Tx } from '@shortlist/kit/data/db';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Caller } from '@shortlist/kit/http/service-token';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError, createFieldError } from '@shortlist/kit/process/errors';
import {
  type AccountRow,
  findAccount,
  lockAccount,
  markEmailVerified,
  markOwned,
} from '../accounts/queries.ts';
import { completeRegistration } from '../accounts/register-account.ts';
import { type CodeKeys, endTokens, useToken } from '../accounts/mailed-tokens.ts';
import { isRightCode } from './confirm-email-change.ts';

const purpose = 'email_verify';

type Verified = { userId: string; email: string; registered?: RegisteredUser };

/** Confirms the address of an account. Returns whether it was not confirmed before. */
export const confirmEmail = async (tx: Tx, id: string, clock: Clock): Promise<boolean> => {
  const isNew = await markEmailVerified(tx, id, clock());
  if (isNew) await emit(tx, emailVerified, { subject: id, data: {}, clock });
  return isNew;
};

const verify = async (tx: Tx, { id, email }: AccountRow, clock: Clock): Promise<Verified> => {
  await confirmEmail(tx, id, clock);
  return { userId: id, email };
};

/** Confirms the address of the token's account. Throws `identity.link_ended`. */
export const verifyEmail = async (
  tx: Tx,
  { token, caller, clock }: { token: string; caller: Caller; clock: Clock },
): Promise<Verified> => {
  const { accountId } = await useToken(tx, { token, purpose }, clock());
  // The lock waits for an account that is being given up at this moment, and finds none then.
  const account = await lockAccount(tx, accountId);
  if (account === null) {
    const registered = await completeRegistration(tx, accountId, clock);
    return { userId: registered.id, email: registered.email, registered };
  }
  // Without a session of the account, the reader of the mail may be another person than the one who has signed up.
  if (caller.userId === accountId) await markOwned(tx, accountId, clock());
  return verify(tx, account, clock);
};

/**
 * Confirms the address by a code. Throws `identity.email_code_wrong`; a wrong code is counted also when the request fails. An address
 * that the link has confirmed meanwhile stays confirmed.
 */
export const verifyEmailCode = async (
  db: Db,
  { id, code, clock, keys }: { id: string; code: string; clock: Clock; keys: CodeKeys },
): Promise<Verified> => {
  const known = await findAccount(db.manager, id);
  if (known !== null && known.emailVerifiedAt !== null) return { userId: id, email: known.email };
  if (!(await isRightCode(db.manager, { accountId: id, purpose, code }, { now: clock(), keys }))) {
    throw createFieldError('identity.email_code_wrong', 'code');
  }
  return inTransaction(db, async (tx) => {
    const account = await lockAccount(tx, id);
    if (account === null) throw createError('identity.user_not_found');
    await endTokens(tx, { accountId: id, purpose }, clock());
    await markOwned(tx, id, clock());
    return verify(tx, account, clock);
  });
};
