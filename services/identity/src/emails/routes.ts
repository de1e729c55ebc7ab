import { emailChangeEndpoints, identityEndpoints } from '@shortlist/contracts/api/identity';
import { emailSchema } from '@shortlist/contracts/schemas/account';
import { loginPassword, mailedCode, mailedToken } from '@shortlist/contracts/schemas/password';
import { userId } from '@shortlist/contracts/schemas/text';
import { type Db, inTransaction, type SharedClock } from '@shortlist/kit/data/db';
import { closedSignal } from '@shortlist/kit/http/respond';
import type { Router } from '@shortlist/kit/http/router';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import Joi from 'joi';
import { findOpenChange } from '../accounts/email-change-queries.ts';
import type { CodeKeys } from '../accounts/mailed-tokens.ts';
import { findAccount } from '../accounts/queries.ts';
import { assertCurrentPassword } from '../credentials/verify-credentials.ts';
import type { Hasher } from '../passwords/hasher.ts';
import { givenUpAt } from '../unconfirmed/unconfirmed.rules.ts';
import { confirmEmailChange, confirmEmailChangeCode } from './confirm-email-change.ts';
import {
  cancelEmailChange,
  requestEmailChange,
  requestVerification,
  resendEmailChange,
} from './request-email-change.ts';
import { checkEmailUndo, undoEmailChange } from './undo-email-change.ts';
import { verifyEmail, verifyEmailCode } from './verify-email.ts';

type Parts = { db: Db; clock: Clock; keys: CodeKeys };

const ofUser = Joi.object<{ id: string }, true>({ id: userId });
const owner = ({ id }: { id: string }): string => id;

export const addEmailEndpoints = (router: Router, { db, clock, keys }: Parts): void => {
  router.add(identityEndpoints.email, {
    roles: ['user', 'service'],
    input: ofUser,
    owner,
    handle: async ({ input: { id } }) => {
      const account = await findAccount(db.manager, id);
      if (account === null) throw createError('identity.user_not_found');
      const pending = await findOpenChange(db.manager, id, clock());
      return {
        data: {
          email: account.email,
          isVerified: account.emailVerifiedAt !== null,
          pendingEmail: pending?.newEmail ?? null,
          confirmBy: givenUpAt(account, clock())?.toISOString() ?? null,
        },
      };
    },
  });

  router.add(identityEndpoints.requestVerification, {
    roles: ['user'],
    input: ofUser,
    owner,
    status: 202,
    handle: async ({ input: { id }, caller }) => {
      await inTransaction(db, (tx) => requestVerification(tx, { id, caller, clock }));
      return {};
    },
  });

  router.add(identityEndpoints.verifyEmail, {
    roles: ['anonymous', 'user'],
    input: Joi.object<{ token: string }, true>({ token: mailedToken }),
    handle: async ({ input: { token }, caller }) => ({
      data: await inTransaction(db, (tx) => verifyEmail(tx, { token, caller, clock })),
    }),
  });

  router.add(identityEndpoints.verifyEmailCode, {
    roles: ['user'],
    input: ofUser.append<{ id: string; code: string }>({ code: mailedCode }),
    owner,
    handle: async ({ input }) => ({ data: await verifyEmailCode(db, { ...input, clock, keys }) }),
  });
};

type ChangeParts = { db: Db; hasher: Hasher; clock: Clock; sharedClock: SharedClock; keys: CodeKeys };
type OfUser = { id: string };
const withToken = Joi.object<{ token: string }, true>({ token: mailedToken });

const addOwnEndpoints = (router: Router, { db, hasher, clock, sharedClock, keys }: ChangeParts): void => {
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
      await inTransaction(db, (tx) => requestEmailChange(tx, { id, email, clock, sharedClock }));
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
export const addEmailChangeEndpoints = (router: Router, parts: ChangeParts): void => {
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
