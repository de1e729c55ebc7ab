import { recordAdminChange } from '@shortlist/audit/audit-log';
import { auditExportEndpoint } from '@shortlist/contracts/api/audit';
import { identityEndpoints } from '@shortlist/contracts/api/identity';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import { closedSignal } from '@shortlist/kit/http/respond';
import type { Router } from '@shortlist/kit/http/router';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import type { Hasher } from '../passwords/hasher.ts';
import type { PasswordPolicy } from '../passwords/password-policy.ts';
import { eraseUser, endSessions } from './erase-user.ts';
import type { CodeKeys } from './mailed-token-queries.ts';
import { findAccount, findAdmin, listAdmins, presentAccount, presentAdmin } from './queries.ts';
import { registerAccount, requestVerification, verifyEmail, verifyEmailCode } from './register-account.ts';
import { renameAdmin } from './rename-admin.ts';
import { isEmailFree } from './take-email.ts';

type VerificationParts = { db: Db; clock: Clock; keys: CodeKeys };
type Parts = VerificationParts & { hasher: Hasher; passwordPolicy: PasswordPolicy };

const addAdminEndpoints = (router: Router, { db, clock }: Pick<Parts, 'db' | 'clock'>): void => {
  router.add(identityEndpoints.getAdmin, async ({ input: { id } }) => {
    const admin = await findAdmin(db.manager, id);
    if (admin === null) throw createError('identity.admin_not_found');
    return { data: presentAdmin(admin) };
  });
  router.add(identityEndpoints.renameAdmin, async ({ input, caller }) => ({
    data: presentAdmin(await inTransaction(db, (tx) => renameAdmin(tx, { ...input, caller, clock }))),
  }));
  router.add(auditExportEndpoint, async ({ input, caller }) => {
    const entry = { action: 'audit.export', targetId: caller.userId ?? '', after: input } as const;
    await inTransaction(db, (tx) => recordAdminChange(tx, { ...entry, caller, clock }));
    return {};
  });
  router.add(identityEndpoints.endSessions, ({ input, caller }) =>
    inTransaction(db, async (tx) => {
      // Sessions of another admin are ended by an owner.
      const isOwn = caller.userId === input.id;
      if (!isOwn && (await findAccount(tx, input.id))?.role !== 'user')
        throw createError('identity.user_not_found');
      return endSessions(tx, { id: input.id, caller, clock });
    }),
  );
  router.add(identityEndpoints.listAdmins, async () => ({
    data: (await listAdmins(db.manager)).map(presentAdmin),
  }));
};

/** The confirmation of the address of a new account. */
const addVerificationEndpoints = (router: Router, { db, clock, keys }: VerificationParts): void => {
  router.add(identityEndpoints.requestVerification, async ({ input: { id }, caller }) => {
    await inTransaction(db, (tx) => requestVerification(tx, { id, caller, clock }));
    return {};
  });

  router.add(identityEndpoints.verifyEmail, async ({ input: { token }, caller }) => ({
    data: await inTransaction(db, (tx) => verifyEmail(tx, { token, caller, clock })),
  }));

  router.add(identityEndpoints.verifyEmailCode, async ({ input }) => ({
    data: await verifyEmailCode(db, { ...input, clock, keys }),
  }));
};

export const addAccountEndpoints = (router: Router, parts: Parts): void => {
  const { db, hasher, clock, passwordPolicy } = parts;

  router.add(identityEndpoints.register, async ({ input: account, caller, response }) => {
    const { password, email, firstName, lastName } = account;
    await passwordPolicy({ password, email, words: [firstName, lastName] });
    const passwordHash = await hasher.hash(password, closedSignal(response)); // slow, so outside the transaction
    const { row, isPending } = await inTransaction(db, (tx) =>
      registerAccount(tx, { account, passwordHash, caller, clock }),
    );
    return { data: presentAccount(row), isPending };
  });

  router.add(identityEndpoints.emailAvailability, async ({ input }) => ({
    available: await isEmailFree(db.manager, { email: input.email, accountId: '' }, clock()),
  }));

  addVerificationEndpoints(router, parts);
  addAdminEndpoints(router, parts);

  router.add(identityEndpoints.eraseUser, async ({ input, caller }) => {
    return inTransaction(db, (tx) => eraseUser(tx, { id: input.id, caller, clock }));
  });
};
