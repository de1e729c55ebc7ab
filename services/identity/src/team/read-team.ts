import type { AdminInvitation, Team, TeamMember } from '@shortlist/contracts/api/team';
import type { Tx } from '@shortlist/kit/data/db';
import type { Clock } from '@shortlist/kit/process/clock';
import { type AccountRow, findAdmin, listAdmins } from '../accounts/queries.ts';
import {
  type InvitationRow,
  listInvitations,
  listLastLogIns,
  listPasskeyOwners,
  listTotpOwners,
} from './queries.ts';

const presentInvitation = (
  { id, email, role, expiresAt }: InvitationRow,
  { invitedBy, now }: { invitedBy: string | null; now: Date },
): AdminInvitation => ({
  id,
  email,
  role,
  invitedBy,
  expiresAt: expiresAt.toISOString(),
  isExpired: expiresAt <= now,
});

export const readInvitation = async (tx: Tx, row: InvitationRow, clock: Clock): Promise<AdminInvitation> => {
  const inviter = await findAdmin(tx, row.invitedBy);
  return presentInvitation(row, { invitedBy: inviter?.email ?? null, now: clock() });
};

const readMembers = async (tx: Tx, accounts: AccountRow[]): Promise<TeamMember[]> => {
  const ids = accounts.map(({ id }) => id);
  const [apps, passkeys, logIns] = await Promise.all([
    listTotpOwners(tx, ids),
    listPasskeyOwners(tx, ids),
    listLastLogIns(tx, ids),
  ]);
  const factorOf = (id: string): TeamMember['factor'] => {
    if (apps.includes(id)) return 'totp';
    return passkeys.includes(id) ? 'passkey' : null;
  };
  return accounts.map(({ id, email, adminName, adminRole, suspendedAt }) => ({
    id,
    email,
    name: adminName,
    role: adminRole ?? 'read_only',
    factor: factorOf(id),
    lastLogInAt: logIns.get(id)?.toISOString() ?? null,
    isSuspended: suspendedAt !== null,
  }));
};

/** Every admin, and the invitations that were neither accepted nor withdrawn. */
export const readTeam = async (tx: Tx, ownId: string, clock: Clock): Promise<Team> => {
  const [accounts, invitations] = await Promise.all([listAdmins(tx), listInvitations(tx)]);
  const emails = new Map(accounts.map(({ id, email }) => [id, email]));
  return {
    ownId,
    members: await readMembers(tx, accounts),
    invitations: invitations.map((row) =>
      presentInvitation(row, { invitedBy: emails.get(row.invitedBy) ?? null, now: clock() }),
    ),
  };
};
