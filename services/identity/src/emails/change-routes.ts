import Joi from 'joi';
import { emailChangeEndpoints } from '@shortlist/contracts/api/identity';
import { emailSchema } from '@shortlist/contracts/schemas/account';
import { loginPassword, mailedCode, mailedToken } from '@shortlist/contracts/schemas/password';
import { userId } from '@shortlist/contracts/schemas/text';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import { closedSignal } from '@shortlist/kit/http/respond';
import type { Router } from '@shortlist/kit/http/router';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import { findAccount } from '../accounts/queries.ts';
import { assertCurrentPassword } from '../credentials/verify-credentials.ts';
import type { Hasher } from '../passwords/hasher.ts';
import type { CodeKeys } from '../tokens/mailed-tokens.ts';
import { confirmEmailChange, confirmEmailChangeCode } from './confirm-email-change.ts';
import { cancelEmailChange, requestEmailChange, resendEmailChange } from './request-email-change.ts';
import { checkEmailUndo, undoEmailChange } from './undo-email-change.ts';

type Parts = { db: Db; hasher: Hasher; clock: Clock; keys: CodeKeys };
type OfUser = { id: string };

const ofUser = Joi.object<OfUser, true>({ id: userId });
const owner = ({ id }: OfUser): string => id;
const withToken = Joi.object<{ token: string }, true>({ token: mailedToken });

const addOwnEndpoints = (router: Router, { db, hasher, clock, keys }: Parts): void => {
  router.add(emailChangeEndpoints.requestEmailChange, {
    roles: ['user'],
    input: ofUser.append<OfUser & { email: string; currentPassword?: string }>({
      email: emailSchema,
      currentPassword: loginPassword.optional(),
    }),
    owner,
    status: 202,
    handle: async ({ input: { id, email, currentPassword: password }, response }) => {
      const account = await findAccount(db.manager, id);
      if (account === null) throw createError('identity.user_not_found');
      const signal = closedSignal(response);
      if (password !== undefined) await assertCurrentPassword(hasher, account, { password, signal });
      await inTransaction(db, (tx) => requestEmailChange(tx, { id, email, clock }));
      return {};
    },
  });

  router.add(emailChangeEndpoints.resendEmailChange, {
    roles: ['user'],
    input: ofUser,
    owner,
    status: 202,
    handle: async ({ input: { id } }) => {
      await inTransaction(db, (tx) => resendEmailChange(tx, { id, clock }));
      return {};
    },
  });

  router.add(emailChangeEndpoints.cancelEmailChange, {
    roles: ['user'],
    input: ofUser,
    owner,
    handle: async ({ input: { id } }) => {
      await inTransaction(db, (tx) => cancelEmailChange(tx, { id, clock }));
      return {};
    },
  });

  router.add(emailChangeEndpoints.confirmEmailChangeCode, {
    roles: ['user'],
    input: ofUser.append<OfUser & { code: string; keptSessionId?: string }>({
      code: mailedCode,
      keptSessionId: userId.optional(),
    }),
    owner,
    handle: async ({ input, caller }) => ({
      data: await confirmEmailChangeCode(db, { ...input, address: caller.address ?? '', clock, keys }),
    }),
  });
};

/** The endpoints about a change of the address. */
export const addEmailChangeEndpoints = (router: Router, parts: Parts): void => {
  const { db, clock } = parts;
  addOwnEndpoints(router, parts);

  router.add(emailChangeEndpoints.confirmEmailChange, {
    roles: ['anonymous', 'user'],
    input: withToken.append<{ token: string; keptSessionId?: string }>({ keptSessionId: userId.optional() }),
    handle: async ({ input, caller }) => ({
      data: await inTransaction(db, (tx) => confirmEmailChange(tx, { ...input, caller, clock })),
    }),
  });

  router.add(emailChangeEndpoints.checkEmailUndo, {
    roles: ['anonymous'],
    input: withToken,
    handle: async ({ input: { token } }) => ({
      data: await inTransaction(db, (tx) => checkEmailUndo(tx, { token, clock })),
    }),
  });

  router.add(emailChangeEndpoints.undoEmailChange, {
    roles: ['anonymous'],
    input: withToken,
    handle: async ({ input: { token }, caller }) => {
      const undo = { token, address: caller.address ?? '', clock };
      return { data: await inTransaction(db, (tx) => undoEmailChange(tx, undo)) };
    },
  });
};
