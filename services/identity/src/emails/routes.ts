import Joi from 'joi';
import { identityEndpoints } from '@shortlist/contracts/api/identity';
import { mailedCode, mailedToken } from '@shortlist/contracts/schemas/password';
import { userId } from '@shortlist/contracts/schemas/text';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import type { Router } from '@shortlist/kit/http/router';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import { findAccount } from '../accounts/queries.ts';
import { findOpenChange } from '../email-changes/queries.ts';
import type { CodeKeys } from '../tokens/mailed-tokens.ts';
import { givenUpAt } from '../unconfirmed/unconfirmed.rules.ts';
import { requestVerification } from './request-verification.ts';
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
