import { actorOf, recordAction } from '@shortlist/audit/audit-log';
import { SYSTEM_ACTOR_ID } from '@shortlist/contracts/api/audit';
import { passwordChanged } from '@shortlist/contracts/events/identity';
import { normalPassword } from '@shortlist/contracts/password.rules';
import { type Db, inTransaction, type Tx } from '@shortlist/kit/data/db';
import { type Caller, SERVICE_CALLER } from '@shortlist/kit/http/service-token';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError, createFieldError } from '@shortlist/kit/process/errors';
import { endOpenChanges } from '../accounts/email-change-queries.ts';
import { endTokens } from '../accounts/mailed-token-queries.ts';
import { beginGeneration, findAccountByEmail, lockAccount, updatePasswordHash } from '../accounts/queries.ts';
import { deletePendingTotp } from '../factors/queries.ts';
import type { Hasher } from '../passwords/hasher.ts';

export const currentPasswordWrong = (): Error => {
  return createFieldError('identity.current_password_wrong', 'currentPassword');
};

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

/**
 * What a person who knew the former password may have begun. Not the links with which a former address takes the account back: those
 * are the owner's, also when an intruder changes the password.
 */
const ENDED = ['password_reset', 'email_verify', 'email_change'] as const;

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
  const generation = await beginGeneration(tx, id);
  const now = clock();
  await endOpenChanges(tx, id, now);
  for (const purpose of ENDED) await endTokens(tx, { accountId: id, purpose }, now);
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

type Parts = { db: Db; hasher: Hasher; clock: Clock };

/**
 * Sets the password of the admin with this address, which ends the admin's sessions and is recorded in the audit log. The same
 * password changes nothing. Returns null when no admin has the address.
 */
export const resetAdminPassword = async (
  { db, hasher, clock }: Parts,
  { email, password }: { email: string; password: string },
): Promise<'changed' | 'unchanged' | null> => {
  const account = await findAccountByEmail(db.manager, email, 'admin');
  if (account === null) return null;
  if (await hasher.verify(account.passwordHash, normalPassword(password))) return 'unchanged';
  const passwordHash = await hasher.hash(password);
  await inTransaction(db, (tx) =>
    changePassword(tx, { id: account.id, passwordHash, caller: SERVICE_CALLER, clock }),
  );
  return 'changed';
};
