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
  /** The hash that the current password was verified with, so that one of two concurrent changes is refused. */
  replacing?: string;
  /** The session that makes the change. */
  keptSessionId?: string;
  caller: Caller;
  clock: Clock;
};

const purpose = 'password_reset';

/**
 * Everything that a person who knew the former password may have begun. Excludes the links for taking the account back, which belong to the
 * owner of the mailbox even if an intruder changes the password.
 */
const ENDED = ['email_verify', 'email_change'] as const;

/**
 * Stores a new password. Ends sessions, log-ins in progress, trusted devices, an open change of the email, emailed links and codes, and the
 * set-up of an authenticator app. The change is emailed and recorded.
 */
export const changePassword = async (
  tx: Tx,
  { id, passwordHash, replacing, keptSessionId = '', caller, clock }: Change,
): Promise<{ generation: number }> => {
  await lockAccount(tx, id); // before the rows of changes and tokens, in the same order as confirmations
  if (!(await updatePasswordHash(tx, { id, passwordHash, replacing })))
    throw replacing === undefined ? createError('identity.user_not_found') : currentPasswordWrong();
  const generation = await beginGeneration(tx, id, clock);
  const now = clock();
  await endOpenChanges(tx, id, now);
  for (const ended of ENDED) await endTokens(tx, { accountId: id, purpose: ended }, now);
  // A session that knows the password does not end links for setting a new one.
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
 * Causes the email with the link. If the address has no account, the same event is emitted with an id that no account has, so that the
 * response, its time and the rows written do not reveal which addresses have accounts.
 */
export const requestReset = async (
  tx: Tx,
  { email, clock }: { email: string; clock: Clock },
): Promise<void> => {
  const account = await findAccountOfAnyRole(tx, email);
  await emit(tx, passwordResetRequested, { subject: account?.id ?? uuidv7(), data: {}, clock });
};

/** Includes all factors, for `takeBack` of an account that another person created. */
const ALWAYS = new Date(0);

/** The account of an open token. Throws `identity.link_ended`. */
export const getResetAccount = async (tx: Tx, token: string, clock: Clock): Promise<AccountRow> => {
  const { accountId } = await getToken(tx, { token, purpose }, clock());
  const account = await findAccount(tx, accountId);
  if (account === null) throw createError('identity.link_ended');
  return account;
};

type Reset = { token: string; passwordHash: string; caller: Caller; clock: Clock };

/** Sets the password of the token's account. It counts as the user's own change, because the mailbox proves their identity. */
export const resetPassword = async (
  tx: Tx,
  { token, passwordHash, caller, clock }: Reset,
): Promise<PasswordReset> => {
  const { accountId } = await useToken(tx, { token, purpose }, clock());
  const account = await lockAccount(tx, accountId);
  if (account === null) throw createError('identity.link_ended');
  const { id, role, email } = account;
  const user: Caller = { ...caller, role, userId: id };
  // The link also proves the email.
  await confirmEmail(tx, id, clock);
  // Another person may have signed up with the email: their passkeys, authenticator app, API keys, connected apps and webhooks must not outlast
  // the first password that its owner sets, whichever link confirmed the email.
  if (account.ownedSince === null)
    await takeBack(tx, { accountId: id, factorsSince: ALWAYS, caller: user, clock });
  const { generation } = await changePassword(tx, { id, passwordHash, caller: user, clock });
  return { userId: id, email, generation };
};
