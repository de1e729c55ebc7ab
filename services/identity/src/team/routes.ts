import { viewingEndpoints } from '@shortlist/contracts/api/sessions';
import { teamEndpoints } from '@shortlist/contracts/api/team';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import { closedSignal } from '@shortlist/kit/http/respond';
import type { Router } from '@shortlist/kit/http/router';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import { endSessions } from '../accounts/erase-user.ts';
import { removeAllFactors } from '../factors/remove-factors.ts';
import type { Hasher } from '../passwords/hasher.ts';
import type { PasswordPolicy } from '../passwords/password-policy.ts';
import { changeRole, removeAdmin, restoreAdmin, suspendAdmin } from './change-access.ts';
import {
  acceptInvitation,
  assertOwner,
  cancelInvitation,
  getInvitation,
  inviteAdmin,
  lockOtherAdmin,
  resendInvitation,
} from './invite-admin.ts';
import { readInvitation, readTeam } from './read-team.ts';
import { recordViewing } from './record-viewing.ts';

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

/** What an owner does for another admin without a change of what that admin may do. */
const addCareEndpoints = (router: Router, { db, clock }: Store): void => {
  router.add(teamEndpoints.endAdminSessions, ({ input: { id }, caller }) =>
    inTransaction(db, async (tx) => {
      await lockOtherAdmin(tx, id, caller);
      return endSessions(tx, { id, caller, clock });
    }),
  );

  router.add(teamEndpoints.removeAdminFactors, async ({ input: { id, reason }, caller }) => {
    await inTransaction(db, async (tx) => {
      await lockOtherAdmin(tx, id, caller);
      if (!(await removeAllFactors(tx, { accountId: id, caller, clock, reason })))
        throw createError('identity.totp_off');
    });
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
    const { email } = await getInvitation(db.manager, token, clock); // before the work of a hash
    await passwordPolicy({ password, email, words: name?.split(/\s+/) ?? [] });
    const passwordHash = await hasher.hash(password, closedSignal(response));
    const acceptance = { token, passwordHash, name, address: caller.address ?? '', clock };
    return { data: await inTransaction(db, (tx) => acceptInvitation(tx, acceptance)) };
  });
};

export const addTeamEndpoints = (router: Router, parts: Parts): void => {
  const { db, clock } = parts;
  // Ahead of the paths with an id, which would match too.
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
};

export const addViewingEndpoints = (router: Router, { db, clock }: { db: Db; clock: Clock }): void => {
  router.add(viewingEndpoints.recordViewing, async ({ input, caller }) => {
    await inTransaction(db, (tx) => recordViewing(tx, { ...input, caller, clock }));
    return {};
  });
};
