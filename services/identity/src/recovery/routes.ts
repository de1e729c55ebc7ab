import Joi from 'joi';
import { identityEndpoints, TOKEN_PURPOSES, type TokenOrder } from '@shortlist/contracts/api/identity';
import { emailSchema } from '@shortlist/contracts/schemas/account';
import { mailedToken, newPassword, passwordWords } from '@shortlist/contracts/schemas/password';
import { userId } from '@shortlist/contracts/schemas/text';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import { closedSignal } from '@shortlist/kit/http/respond';
import type { Router } from '@shortlist/kit/http/router';
import type { Clock } from '@shortlist/kit/process/clock';
import type { Hasher } from '../passwords/hasher.ts';
import type { PasswordPolicy } from '../passwords/password-policy.ts';
import type { CodeKeys } from '../accounts/mailed-tokens.ts';
import { issueMailedToken } from './issue-mailed-token.ts';
import { getResetAccount, requestReset, resetPassword } from './reset-password.ts';

type Parts = { db: Db; hasher: Hasher; clock: Clock; keys: CodeKeys; passwordPolicy: PasswordPolicy };

const reset = Joi.object<{ token: string; password: string; words?: string[] }, true>({
  token: mailedToken,
  password: newPassword,
  words: passwordWords,
});

export const addRecoveryEndpoints = (
  router: Router,
  { db, hasher, clock, keys, passwordPolicy }: Parts,
): void => {
  router.add(identityEndpoints.requestPasswordReset, {
    roles: ['anonymous'],
    input: Joi.object<{ email: string }, true>({ email: emailSchema }),
    status: 202,
    handle: async ({ input: { email } }) => {
      await inTransaction(db, (tx) => requestReset(tx, { email, clock }));
      return {};
    },
  });

  router.add(identityEndpoints.checkPasswordReset, {
    roles: ['anonymous'],
    input: Joi.object<{ token: string }, true>({ token: mailedToken }),
    handle: async ({ input: { token } }) => {
      const { id, email, role } = await getResetAccount(db.manager, token, clock);
      return { data: { userId: id, email, role } };
    },
  });

  router.add(identityEndpoints.resetPassword, {
    roles: ['anonymous'],
    input: reset,
    handle: async ({ input: { token, password, words }, caller, response }) => {
      const { email } = await getResetAccount(db.manager, token, clock); // before the work of a hash
      await passwordPolicy({ password, email, words });
      const passwordHash = await hasher.hash(password, closedSignal(response));
      const data = await inTransaction(db, (tx) => resetPassword(tx, { token, passwordHash, caller, clock }));
      return { data };
    },
  });

  router.add(identityEndpoints.issueMailedToken, {
    roles: ['service'],
    input: Joi.object<TokenOrder, true>({
      purpose: Joi.string()
        .valid(...TOKEN_PURPOSES)
        .required(),
      userId,
      reference: userId.optional(),
    }),
    handle: async ({ input }) => ({
      data: await inTransaction(db, (tx) => issueMailedToken(tx, input, { clock, keys })),
    }),
  });
};
