import type { PasswordReset } from '@shortlist/contracts/api/identity';
import { passwordResetRequested } from '@shortlist/contracts/events/identity';
import type { Tx } from '@shortlist/kit/data/db';
import type { Caller } from '@shortlist/kit/http/service-token';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import { uuidv7 } from 'uuidv7';
import { getToken, useToken } from '../accounts/mailed-token-queries.ts';
import {
  type AccountRow,
  findAccount,
  findAccountOfAnyRole,
  lockAccount,
  markOwned,
} from '../accounts/queries.ts';
import { revokeKeysSince } from '../api-keys/revoke-keys.ts';
import { endConnectionsSince } from '../connections/end-connection.ts';
import { changePassword } from '../credentials/change-password.ts';
import { confirmEmail } from '../accounts/register-account.ts';
import { stopWebhooksSince } from '../webhooks/change-webhook.ts';
import { removeAllFactors } from '../factors/remove-factors.ts';

/**
 * Causes the mail with the link. For an address without an account the same event is emitted about an id that no account has, so
 * that the response, its time and the rows written do not show which addresses have accounts.
 */
export const requestReset = async (
  tx: Tx,
  { email, clock }: { email: string; clock: Clock },
): Promise<void> => {
  const account = await findAccountOfAnyRole(tx, email);
  await emit(tx, passwordResetRequested, { subject: account?.id ?? uuidv7(), data: {}, clock });
};

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
  // Another person may have signed up with it: a passkey, an authenticator app, an API key, a tool or a webhook of theirs must not outlast
  // the first password that its owner sets, whichever link has confirmed the address.
  if (account.ownedSince === null) {
    await removeAllFactors(tx, { accountId: id, caller: user, clock });
    await revokeKeysSince(tx, { accountId: id, caller: user, clock });
    await endConnectionsSince(tx, { accountId: id, caller: user, clock });
    await stopWebhooksSince(tx, { accountId: id, caller: user, clock });
    await markOwned(tx, id, clock());
  }
  const { generation } = await changePassword(tx, { id, passwordHash, caller: user, clock });
  return { userId: id, email, generation };
};
