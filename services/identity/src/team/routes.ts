import { recordAdminChange } from '@shortlist/audit/audit-log';
import { auditExportEndpoint, SYSTEM_ACTOR_ID } from '@shortlist/contracts/api/audit';
import { identityEndpoints } from '@shortlist/contracts/api/identity';
import { systemRecordEndpoint } from '@shortlist/contracts/api/system';
import { teamEndpoints } from '@shortlist/contracts/api/team';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import { closedSignal } from '@shortlist/kit/http/respond';
import type { Router } from '@shortlist/kit/http/router';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import { removeLostFactors } from '../credentials/lost-factors.ts';
import { endSessions } from '../credentials/sign-ins.ts';
import type { Hasher, PasswordPolicy } from '../passwords.ts';
import { changeRole, removeAdmin, renameAdmin, restoreAdmin, suspendAdmin } from './change-admin.ts';
import {
  acceptInvitation,
  assertOwner,
  cancelInvitation,
  getInvitation,
  inviteAdmin,
  lockOtherAdmin,
  resendInvitation,
} from './invite-admin.ts';
import { findAdmin, listAdmins, presentAdmin, readInvitation, readTeam } from './queries.ts';

type Parts = { db: Db; hasher: Hasher; clock: Clock; passwordPolicy: PasswordPolicy };
type Store = Pick<Parts, 'db' | 'clock'>;

const addInvitationEndpoints = (router: Router, { db, clock }: Store): void => {
  router.add(teamEndpoints.inviteAdmin, ({ input, caller }) =>
    inTransaction(db, async (tx) => {
      const row = await inviteAdmin(tx, input, { caller, clock });
      return { data: await readInvitation(tx, row, clock) };
    }),
  );

  router.add(teamEndpoints.resendInvitation, ({ input: { id }, caller }) =>
    inTransaction(db, async (tx) => {
      const row = await resendInvitation(tx, { id, caller, clock });
      return { data: await readInvitation(tx, row, clock) };
    }),
  );

  router.add(teamEndpoints.cancelInvitation, async ({ input: { id }, caller }) => {
    await inTransaction(db, (tx) => cancelInvitation(tx, { id, caller, clock }));
    return { message: 'withdrawn' };
  });
};

const addAccessEndpoints = (router: Router, { db, clock }: Store): void => {
  router.add(teamEndpoints.changeAdminRole, ({ input, caller }) =>
    inTransaction(db, (tx) => changeRole(tx, { ...input, caller, clock })),
  );

  router.add(teamEndpoints.suspendAdmin, ({ input, caller }) =>
    inTransaction(db, (tx) => suspendAdmin(tx, { ...input, caller, clock })),
  );

  router.add(teamEndpoints.restoreAdmin, ({ input, caller }) =>
    inTransaction(db, (tx) => restoreAdmin(tx, { ...input, caller, clock })),
  );

  router.add(teamEndpoints.removeAdmin, ({ input, caller }) =>
    inTransaction(db, (tx) => removeAdmin(tx, { ...input, caller, clock })),
  );
};

/** An owner's actions for another admin that do not change that admin's permissions. */
const addCareEndpoints = (router: Router, parts: Omit<Parts, 'passwordPolicy'>): void => {
  const { db, clock } = parts;
  router.add(teamEndpoints.endAdminSessions, ({ input: { id }, caller }) =>
    inTransaction(db, async (tx) => {
      await lockOtherAdmin(tx, id, caller);
      return endSessions(tx, { id, caller, clock });
    }),
  );

  router.add(teamEndpoints.removeAdminFactors, async ({ input: { id, reason }, caller }) => {
    await removeLostFactors(parts, { accountId: id, reason, caller }, (tx) => lockOtherAdmin(tx, id, caller));
    return { message: 'removed' };
  });
};

const addAcceptanceEndpoints = (router: Router, { db, hasher, clock, passwordPolicy }: Parts): void => {
  router.add(teamEndpoints.checkInvitation, async ({ input: { token } }) => {
    const { email, role } = await getInvitation(db.manager, token, clock);
    return { data: { email, role } };
  });

  router.add(teamEndpoints.acceptInvitation, async ({ input, caller, response }) => {
    const { token, password, name = null } = input;
    const { email } = await getInvitation(db.manager, token, clock); // before computing a hash
    await passwordPolicy({ password, email, words: name?.split(/\s+/) ?? [] });
    const passwordHash = await hasher.hash(password, closedSignal(response));
    const acceptance = { token, passwordHash, name, address: caller.address ?? '', clock };
    return { data: await inTransaction(db, (tx) => acceptInvitation(tx, acceptance)) };
  });
};

/** Endpoints for every admin: reading admins' names, changing one's own, and recording what no service with an audit log does. */
const addAdminEndpoints = (router: Router, { db, clock }: Store): void => {
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
  router.add(systemRecordEndpoint, async ({ input: { action, details }, caller }) => {
    const entry = { action, targetId: SYSTEM_ACTOR_ID, after: details };
    await inTransaction(db, (tx) => recordAdminChange(tx, { ...entry, caller, clock }));
    return {};
  });
  router.add(identityEndpoints.listAdmins, async () => ({
    data: (await listAdmins(db.manager)).map(presentAdmin),
  }));
};

export const addTeamEndpoints = (router: Router, parts: Parts): void => {
  const { db, clock } = parts;
  // Before the paths with an id, which would match too.
  addAcceptanceEndpoints(router, parts);
  addInvitationEndpoints(router, parts);
  router.add(teamEndpoints.getTeam, ({ caller }) =>
    inTransaction(db, async (tx) => {
      const ownId = await assertOwner(tx, caller);
      return { data: await readTeam(tx, ownId, clock) };
    }),
  );
  addAccessEndpoints(router, parts);
  addCareEndpoints(router, parts);
  addAdminEndpoints(router, parts);
};
