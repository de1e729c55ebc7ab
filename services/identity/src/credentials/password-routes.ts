import Joi from 'joi';
import { identityEndpoints, type PasswordChange } from '@shortlist/contracts/api/identity';
import { loginPassword, newPassword, passwordWords } from '@shortlist/contracts/schemas/password';
import { userId } from '@shortlist/contracts/schemas/text';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import { closedSignal } from '@shortlist/kit/http/respond';
import type { Router } from '@shortlist/kit/http/router';
import type { Caller } from '@shortlist/kit/http/service-token';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import { changePassword } from './change-password.ts';
import { findAccount } from '../accounts/queries.ts';
import type { Hasher } from '../passwords/hasher.ts';
import type { PasswordPolicy } from '../passwords/password-policy.ts';
import { assertCurrentPassword } from './verify-credentials.ts';

type Parts = { db: Db; hasher: Hasher; clock: Clock; passwordPolicy: PasswordPolicy };

const change = Joi.object<PasswordChange, true>({
  id: userId,
  password: newPassword,
  currentPassword: loginPassword.optional(),
  words: passwordWords,
  keptSessionId: userId.optional(), // a session's id is a UUID too
});

export const addPasswordEndpoints = (router: Router, { db, hasher, clock, passwordPolicy }: Parts): void => {
  /**
   * A change of one's own password requires the current one; an admin sets another user's without it. Returns the hash that the
   * change replaces.
   */
  const assertAllowed = async (
    { id, password, currentPassword, words, keptSessionId }: PasswordChange,
    caller: Caller,
    signal: AbortSignal,
  ): Promise<{ replacing?: string; keptSessionId?: string }> => {
    const account = await findAccount(db.manager, id);
    const isOwn = caller.userId === id;
    if (account === null || !(isOwn || account.role === 'user')) throw createError('identity.user_not_found');
    if (isOwn) await assertCurrentPassword(hasher, account, { password: currentPassword, signal });
    await passwordPolicy({ password, email: account.email, words });
    if (!isOwn) return {};
    return { replacing: account.passwordHash, ...(keptSessionId === undefined ? {} : { keptSessionId }) };
  };

  router.add(identityEndpoints.checkPasswordChange, {
    roles: ['user', 'admin'],
    input: change,
    owner: ({ id }) => id,
    handle: async ({ input, caller, response }) => {
      await assertAllowed(input, caller, closedSignal(response));
      return {};
    },
  });

  router.add(identityEndpoints.changePassword, {
    roles: ['user', 'admin'],
    input: change,
    owner: ({ id }) => id,
    handle: async ({ input, caller, response }) => {
      const signal = closedSignal(response);
      const current = await assertAllowed(input, caller, signal);
      const passwordHash = await hasher.hash(input.password, signal);
      return inTransaction(db, (tx) =>
        changePassword(tx, { id: input.id, passwordHash, ...current, caller, clock }),
      );
    },
  });
};
