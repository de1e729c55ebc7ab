import type { PasswordReset } from '@shortlist/contracts/api/identity';
import type { Tx } from '@shortlist/kit/data/db';
import type { Caller } from '@shortlist/kit/http/service-token';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import type { AccountRow } from '../accounts/account.entity.ts';
import { changePassword } from '../credentials/change-password.ts';
import { lockAccount, findAccount, markOwned } from '../accounts/queries.ts';
import { confirmEmail } from '../emails/verify-email.ts';
import { removeAllFactors } from '../factors/remove-factors.ts';
import { getToken, useToken } from '../tokens/mailed-tokens.ts';

const purpose = 'password_reset';

/** The account of an open token. Throws `identity.link_ended`. */
export const getResetAccount = async (tx: Tx, token: string, clock: Clock): Promise<AccountRow> => {
  const { accountId } = await getToken(tx, { token, purpose }, clock());
  const account = await findAccount(tx, accountId);
  if (account === null) throw createError('identity.link_ended');
  return account;
};

type Reset = { token: string; passwordHash: string; caller: Caller; clock: Clock };

/** Sets the password of the token's account. The change counts as the user's own: the mailbox proves who they are. */
export const resetPassword = async (
  tx: Tx,
  { token, passwordHash, caller, clock }: Reset,
): Promise<PasswordReset> => {
  const { accountId } = await useToken(tx, { token, purpose }, clock());
  const account = await lockAccount(tx, accountId);
  if (account === null) throw createError('identity.link_ended');
  const { id, role, email } = account;
  const user: Caller = { ...caller, role, userId: id };
  // The link proves the address as well.
  await confirmEmail(tx, id, clock);
  // Another person may have signed up with it: a passkey or an authenticator app of theirs must not outlast the first password that
  // its owner sets, whichever link has confirmed the address.
  if (account.ownedSince === null) {
    await removeAllFactors(tx, { accountId: id, caller: user, clock });
    await markOwned(tx, id, clock());
  }
  const { generation } = await changePassword(tx, { id, passwordHash, caller: user, clock });
  return { userId: id, email, generation };
};
