import { unconfirmedEndpoints } from '@shortlist/contracts/api/email';
import { identityEndpoints } from '@shortlist/contracts/api/identity';
import { privacyEndpoints } from '@shortlist/contracts/api/privacy';
import { signUpEndpoints } from '@shortlist/contracts/api/authentication';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import { closedSignal } from '@shortlist/kit/http/respond';
import type { Router } from '@shortlist/kit/http/router';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import type { Hasher, PasswordPolicy } from '../passwords.ts';
import {
  cancelDeletion,
  eraseDueUser,
  eraseUser,
  giveUpAccount,
  remindDeletions,
  remindUser,
  requestDeletion,
} from './delete-account.ts';
import {
  findDeletion,
  listUnconfirmed,
  listDueDeletions,
  markKept,
  presentDeletion,
} from './deletion-queries.ts';
import { findOpenChange } from './email-change-queries.ts';
import type { CodeKeys } from './mailed-token-queries.ts';
import { findAccount, presentAccount } from './queries.ts';
import { registerAccount, requestVerification, verifyEmail, verifyEmailCode } from './register-account.ts';
import { isEmailFree } from './take-email.ts';
import { givenUpAt } from './unconfirmed.rules.ts';

type Store = { db: Db; clock: Clock };
type AddressParts = Store & { keys: CodeKeys };
type Parts = AddressParts & { hasher: Hasher; passwordPolicy: PasswordPolicy };

/** The most due deletions or unconfirmed accounts that one run of a job handles. */
const DUE_MAX = 100;

/** The email of an account, and its confirmation. */
const addAddressEndpoints = (router: Router, { db, clock, keys }: AddressParts): void => {
  router.add(identityEndpoints.email, async ({ input: { id } }) => {
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
  });

  router.add(signUpEndpoints.requestVerification, async ({ input: { id }, caller }) => {
    await inTransaction(db, (tx) => requestVerification(tx, { id, caller, clock }));
    return {};
  });

  router.add(signUpEndpoints.verifyEmail, async ({ input: { token }, caller }) => ({
    data: await inTransaction(db, (tx) => verifyEmail(tx, { token, caller, clock })),
  }));

  router.add(signUpEndpoints.verifyEmailCode, async ({ input }) => ({
    data: await verifyEmailCode(db, { ...input, clock, keys }),
  }));
};

/** The endpoints for the job that sends reminders of deletions and completes them. */
const addDueEndpoints = (router: Router, { db, clock }: Store): void => {
  router.add(privacyEndpoints.advanceDeletions, async () => {
    await remindDeletions(db, clock);
    const due = await listDueDeletions(db.manager, clock(), DUE_MAX);
    return {
      data: due.map(({ id, accountId, dueAt }) => ({
        userId: accountId,
        deletionId: id,
        dueAt: dueAt.toISOString(),
      })),
    };
  });
  router.add(privacyEndpoints.eraseDueUser, async ({ input: { deletionId } }) => ({
    deleted: await eraseDueUser(db, { deletionId, clock }),
  }));
};

const addDeletionEndpoints = (router: Router, parts: Store): void => {
  const { db, clock } = parts;
  addDueEndpoints(router, parts);

  router.add(privacyEndpoints.getDeletion, async ({ input: { id } }) => {
    const deletion = await findDeletion(db.manager, id);
    return { data: deletion && presentDeletion(deletion) };
  });

  router.add(
    privacyEndpoints.requestDeletion,
    async ({ input: { keepUntil = null, reason = '', ...input }, caller }) => {
      const details = { ...input, reason, keepUntil: keepUntil === null ? null : new Date(keepUntil) };
      const { deletion, generation } = await inTransaction(db, (tx) =>
        requestDeletion(tx, { ...details, caller, clock }),
      );
      return { data: presentDeletion(deletion), generation };
    },
  );

  router.add(privacyEndpoints.cancelDeletion, async ({ input: { id }, caller }) => {
    await inTransaction(db, (tx) => cancelDeletion(tx, { id, caller, clock }));
    return {};
  });
};

/** The endpoints about unconfirmed accounts. */
const addUnconfirmedEndpoints = (router: Router, { db, clock }: Store): void => {
  router.add(unconfirmedEndpoints.listUnconfirmed, async () => ({
    data: (await listUnconfirmed(db.manager, clock(), DUE_MAX)).map(({ id, remindedAt }) => ({
      userId: id,
      step: remindedAt === null ? 'remind' : 'give_up',
    })),
  }));

  router.add(unconfirmedEndpoints.remindUnconfirmed, async ({ input }) => {
    await inTransaction(db, (tx) => remindUser(tx, { ...input, clock }));
    return {};
  });

  router.add(unconfirmedEndpoints.giveUpAccount, async ({ input }) => ({
    deleted: await inTransaction(db, (tx) => giveUpAccount(tx, { ...input, clock })),
  }));

  router.add(unconfirmedEndpoints.keepAccount, async ({ input }) => {
    await markKept(db.manager, input.userId, input.keptFor);
    return {};
  });
};

export const addAccountEndpoints = (router: Router, parts: Parts): void => {
  const { db, hasher, clock, passwordPolicy } = parts;

  router.add(signUpEndpoints.register, async ({ input: account, caller, response }) => {
    const { password, email, firstName, lastName } = account;
    await passwordPolicy({ password, email, words: [firstName, lastName] });
    const passwordHash = await hasher.hash(password, closedSignal(response)); // slow, so outside the transaction
    const { row, isPending } = await inTransaction(db, (tx) =>
      registerAccount(tx, { account, passwordHash, caller, clock }),
    );
    return { data: presentAccount(row), isPending };
  });

  router.add(signUpEndpoints.emailAvailability, async ({ input }) => ({
    available: await isEmailFree(db.manager, { email: input.email, accountId: '' }, clock()),
  }));

  addAddressEndpoints(router, parts);
  addDeletionEndpoints(router, parts);
  addUnconfirmedEndpoints(router, parts);

  router.add(privacyEndpoints.eraseUser, async ({ input, caller }) => {
    return inTransaction(db, (tx) => eraseUser(tx, { ...input, caller, clock }));
  });
};
