import Joi from 'joi';
import {
  type FailedSignIn,
  type NewSignIn,
  SIGN_IN_METHODS,
  signInEndpoints,
} from '@shortlist/contracts/api/sign-ins';
import { userId } from '@shortlist/contracts/schemas/text';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import type { Router } from '@shortlist/kit/http/router';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import { accountExists, findAccountByEmail, lockAccount } from '../accounts/queries.ts';
import { presentSignIn } from '../sign-ins/present.ts';
import { listSignIns } from '../sign-ins/queries.ts';
import { recordFailedSignIn } from '../sign-ins/record-failed-sign-in.ts';
import { recordSignIn } from '../sign-ins/record-sign-in.ts';

const name = (longest: number) => Joi.string().allow('').max(longest).required();
const originFields = { browser: name(40), system: name(40), network: name(50), place: name(100) };
const method = Joi.string()
  .valid(...SIGN_IN_METHODS)
  .required();

const newSignIn = Joi.object<NewSignIn>({
  ...{ ...originFields, method, id: userId, sessionId: userId },
  isKnownDevice: Joi.boolean().required(),
});

const failedSignIn = Joi.object<FailedSignIn>({
  ...{ ...originFields, method, isLocking: Joi.boolean().required() },
  id: userId.optional(),
  email: Joi.string().max(254),
  role: Joi.string().valid('user', 'admin'),
})
  .xor('id', 'email')
  .and('email', 'role');

type Parts = { db: Db; clock: Clock };

export const addSignInEndpoints = (router: Router, { db, clock }: Parts): void => {
  const findAccountId = async (failure: FailedSignIn): Promise<string | null> => {
    if ('email' in failure)
      return (await findAccountByEmail(db.manager, failure.email, failure.role))?.id ?? null;
    return (await accountExists(db.manager, failure.id)) ? failure.id : null;
  };

  router.add(signInEndpoints.recordSignIn, {
    roles: ['service'],
    input: newSignIn,
    handle: async ({ input }) => {
      if (!(await accountExists(db.manager, input.id))) throw createError('identity.user_not_found');
      await inTransaction(db, (tx) => recordSignIn(tx, input, clock));
      return {};
    },
  });

  router.add(signInEndpoints.recordFailedSignIn, {
    roles: ['service'],
    input: failedSignIn,
    handle: async ({ input }) => {
      const accountId = await findAccountId(input);
      if (accountId === null) return {};
      const { browser, system, network, place, isLocking } = input;
      const origin = { browser, system, network, place };
      await inTransaction(db, async (tx) => {
        // The lock makes failures at the same moment one entry. An account that was deleted meanwhile has no history.
        if (await lockAccount(tx, accountId))
          await recordFailedSignIn(tx, { accountId, method: input.method, isLocking, origin }, clock);
      });
      return {};
    },
  });

  router.add(signInEndpoints.listSignIns, {
    roles: ['user', 'admin'],
    input: Joi.object<{ id: string }, true>({ id: userId }),
    owner: ({ id }) => id,
    handle: async ({ input }) => ({ data: (await listSignIns(db.manager, input.id)).map(presentSignIn) }),
  });
};
