import Joi from 'joi';
import { identityEndpoints, type NewAccount } from '@shortlist/contracts/api/identity';
import { AUDIT_PAGE_MAX, PICTURE_NAME } from '@shortlist/contracts/limits';
import { adminSignupSchema, emailSchema, termsVersion } from '@shortlist/contracts/schemas/account';
import { userId } from '@shortlist/contracts/schemas/text';
import type { Clock } from '@shortlist/kit/process/clock';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import { closedSignal } from '@shortlist/kit/http/respond';
import { createError } from '@shortlist/kit/process/errors';
import type { Router } from '@shortlist/kit/http/router';
import type { Hasher } from '../passwords/hasher.ts';
import type { PasswordPolicy } from '../passwords/password-policy.ts';
import { deleteAccount, endSessions } from './delete-account.ts';
import { findAccount, listAdminEmails, listAdmins, presentAccount, presentAdmin } from './queries.ts';
import { registerAccount } from './register-account.ts';
import { isEmailFree } from './take-email.ts';

const newAccount = adminSignupSchema.append<NewAccount>({
  picture: Joi.string().pattern(PICTURE_NAME).allow(null).required(),
  termsVersion: termsVersion.allow(null),
});

/** Long enough for the actors of the longest page of the audit log: an id has 36 characters, and a comma. */
const commaSeparatedIds = Joi.string()
  .allow('')
  .max(AUDIT_PAGE_MAX * 37)
  .pattern(/^[\x21-\x7e]+$/)
  .required();

type Parts = { db: Db; hasher: Hasher; clock: Clock; passwordPolicy: PasswordPolicy };

const addAdminEndpoints = (router: Router, { db, clock }: Pick<Parts, 'db' | 'clock'>): void => {
  router.add(identityEndpoints.adminEmails, {
    roles: ['admin'],
    input: Joi.object<{ ids: string }, true>({ ids: commaSeparatedIds }),
    handle: async ({ input }) => ({ data: await listAdminEmails(db.manager, input.ids.split(',')) }),
  });
  router.add(identityEndpoints.endSessions, {
    roles: ['user', 'admin'],
    input: Joi.object<{ id: string }, true>({ id: userId }),
    owner: ({ id }) => id,
    handle: ({ input, caller }) =>
      inTransaction(db, async (tx) => {
        // Sessions of another admin are ended by an owner.
        const isOwn = caller.userId === input.id;
        if (!isOwn && (await findAccount(tx, input.id))?.role !== 'user')
          throw createError('identity.user_not_found');
        return endSessions(tx, { id: input.id, caller, clock });
      }),
  });
  router.add(identityEndpoints.listAdmins, {
    roles: ['service'],
    input: Joi.object<Record<never, never>>({}),
    handle: async () => ({
      data: (await listAdmins(db.manager)).map(presentAdmin),
    }),
  });
};

export const addAccountEndpoints = (router: Router, { db, hasher, clock, passwordPolicy }: Parts): void => {
  router.add(identityEndpoints.register, {
    roles: ['anonymous', 'admin'],
    input: newAccount,
    status: 201,
    handle: async ({ input: account, caller, response }) => {
      const { password, email, firstName, lastName } = account;
      await passwordPolicy({ password, email, words: [firstName, lastName] });
      const passwordHash = await hasher.hash(password, closedSignal(response)); // slow, so outside the transaction
      const { row, isPending } = await inTransaction(db, (tx) =>
        registerAccount(tx, { account, passwordHash, caller, clock }),
      );
      return { data: presentAccount(row), isPending };
    },
  });

  router.add(identityEndpoints.emailAvailability, {
    roles: ['anonymous', 'user', 'admin'],
    input: Joi.object<{ email: string }, true>({ email: emailSchema }),
    handle: async ({ input }) => ({
      available: await isEmailFree(db.manager, { email: input.email, accountId: '' }, clock()),
    }),
  });

  addAdminEndpoints(router, { db, clock });

  router.add(identityEndpoints.deleteAccount, {
    roles: ['admin'],
    input: Joi.object<{ id: string }, true>({ id: userId }),
    handle: async ({ input, caller }) => {
      return inTransaction(db, (tx) => deleteAccount(tx, { id: input.id, caller, clock }));
    },
  });
};
