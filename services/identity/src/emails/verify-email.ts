import { emailVerified } from '@shortlist/contracts/events/identity';
import { type Db, inTransaction, type Tx } from '@shortlist/kit/data/db';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import type { AccountRow } from '../accounts/account.entity.ts';
import { findAccount, markEmailVerified } from '../accounts/queries.ts';
import { endTokens, matchCode, useToken } from '../tokens/mailed-tokens.ts';

const purpose = 'email_verify';

type Verified = { userId: string; email: string };

const verify = async (tx: Tx, account: AccountRow, clock: Clock): Promise<Verified> => {
  const { id, email } = account;
  if (await markEmailVerified(tx, id, clock()))
    await emit(tx, emailVerified, { subject: id, data: {}, clock });
  return { userId: id, email };
};

/** Confirms the address of the token's account. Throws `identity.link_ended`. */
export const verifyEmail = async (
  tx: Tx,
  { token, clock }: { token: string; clock: Clock },
): Promise<Verified> => {
  const { accountId } = await useToken(tx, { token, purpose }, clock());
  const account = await findAccount(tx, accountId);
  if (account === null) throw createError('identity.link_ended');
  return verify(tx, account, clock);
};

/** Confirms the address by a code. Throws `identity.email_code_wrong`; a wrong code is counted also when the request fails. */
export const verifyEmailCode = async (
  db: Db,
  { id, code, clock }: { id: string; code: string; clock: Clock },
): Promise<Verified> => {
  if (!(await matchCode(db.manager, { accountId: id, purpose, code }, clock()))) {
    const { message } = createError('identity.email_code_wrong');
    throw createError('identity.email_code_wrong', { fields: { code: message } });
  }
  return inTransaction(db, async (tx) => {
    const account = await findAccount(tx, id);
    if (account === null) throw createError('identity.user_not_found');
    await endTokens(tx, { accountId: id, purpose }, clock());
    return verify(tx, account, clock);
  });
};
