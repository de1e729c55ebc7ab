import { actorOf, recordAction } from '@shortlist/audit/audit-log';
import { SYSTEM_ACTOR_ID } from '@shortlist/contracts/api/audit';
import type { PasswordReset } from '@shortlist/contracts/api/identity';
import { passwordChanged, passwordResetRequested } from '@shortlist/contracts/events/identity';
import type { Tx } from '@shortlist/kit/data/db';
import type { Caller } from '@shortlist/kit/http/service-token';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError, createFieldError } from '@shortlist/kit/process/errors';
import { uuidv7 } from 'uuidv7';
import { endOpenChanges } from '../accounts/email-change-queries.ts';
import { endTokens, getToken, useToken } from '../accounts/mailed-token-queries.ts';
import {
  type AccountRow,
  findAccount,
  findAccountOfAnyRole,
  lockAccount,
  updatePasswordHash,
} from '../accounts/queries.ts';
import { beginGeneration } from '../accounts/end-right.ts';
import { confirmEmail } from '../accounts/register-account.ts';
import { takeBack } from '../access/take-back.ts';
import { deletePendingTotp } from '../factors/queries.ts';

export const currentPasswordWrong = (): Error =>
  createFieldError('identity.current_password_wrong', 'currentPassword');

type Change = {
  id: string;
  passwordHash: string;
  /** The hash with which the current password was compared: of two changes at the same moment, one is refused. */
  replacing?: string;
  /** The user's session that makes the change. */
  keptSessionId?: string;
  caller: Caller;
  clock: Clock;
};

const purpose = 'password_reset';

/**
 * What a person who knew the former password may have begun. Not the links with which the reader of the mailbox takes the account back:
 * those are the owner's, also when an intruder changes the password.
 */
const ENDED = ['email_verify', 'email_change'] as const;

/**
 * Stores a new password. Everything that was begun before ends: sessions, log-ins under way, trusted devices, a change of the
 * address, the links and codes of mails, and an authenticator app that is not confirmed. The change is mailed and recorded.
 */
export const changePassword = async (
  tx: Tx,
  { id, passwordHash, replacing, keptSessionId = '', caller, clock }: Change,
): Promise<{ generation: number }> => {
  await lockAccount(tx, id); // before the rows of changes and tokens, as confirmations lock them
  if (!(await updatePasswordHash(tx, { id, passwordHash, replacing })))
    throw replacing === undefined ? createError('identity.user_not_found') : currentPasswordWrong();
  const generation = await beginGeneration(tx, id, clock);
  const now = clock();
  await endOpenChanges(tx, id, now);
  for (const ended of ENDED) await endTokens(tx, { accountId: id, purpose: ended }, now);
  // A session that knows the password ends no link to set another.
  if (replacing === undefined) await endTokens(tx, { accountId: id, purpose }, now);
  await deletePendingTotp(tx, id);
  const data = { by: caller.userId ?? id, generation, keptSessionId };
  await emit(tx, passwordChanged, { subject: id, data, clock });
  await recordAction(tx, {
    action: 'account.set_password',
    targetId: id,
    ...actorOf(caller, SYSTEM_ACTOR_ID),
    clock,
  });
  return { generation };
};

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

/** Factors of any time: `takeBack` of an account that another person has made. */
const ALWAYS = new Date(0);

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
  // Another person may have signed up with it: a passkey, an authenticator app, an API key, an app or a webhook of theirs must not outlast
  // the first password that its owner sets, whichever link has confirmed the address.
  if (account.ownedSince === null)
    await takeBack(tx, { accountId: id, factorsSince: ALWAYS, caller: user, clock });
  const { generation } = await changePassword(tx, { id, passwordHash, caller: user, clock });
  return { userId: id, email, generation };
};
