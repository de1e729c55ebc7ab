import { ADMIN_ROLES, type AdminRole } from '@shortlist/contracts/admin-permissions';
import type { AdminView } from '@shortlist/contracts/api/identity';
import type { AdminInvitation, Team, TeamMember } from '@shortlist/contracts/api/team';
import * as column from '@shortlist/kit/data/columns';
import type { Tx } from '@shortlist/kit/data/db';
import { defineEntity, type RowOf } from '@shortlist/kit/data/entity';
import { insertRows } from '@shortlist/kit/data/insert';
import type { PruneRule } from '@shortlist/kit/messaging/pruning';
import type { Clock } from '@shortlist/kit/process/clock';
import { In, IsNull, MoreThan, Not } from 'typeorm';
import { accessOf, accountEntity, type AccountRow, type NewAccountRow } from '../accounts/queries.ts';
import { listLastLogIns } from '../credentials/sign-in-queries.ts';
import { passkeyEntity, totpEntity } from '../factors/queries.ts';

export const invitationEntity = defineEntity('admin_invitation', 'admin_invitations', {
  id: { ...column.uuid, primary: true },
  email: column.varchar(254),
  role: column.enumOf(ADMIN_ROLES),
  invitedBy: column.uuid,
  expiresAt: column.dateTime,
});
export type InvitationRow = RowOf<typeof invitationEntity>;

/** An unaccepted invitation is deleted a month after its link expires. */
export const EXPIRED_INVITATIONS: PruneRule = {
  days: 30,
  remove: 'DELETE FROM admin_invitations WHERE expires_at < ? ORDER BY expires_at LIMIT ?',
};

const lock = { mode: 'pessimistic_write' } as const;

/** Locks the owners who are not suspended, until the end of the transaction. */
export const lockOwners = (tx: Tx): Promise<AccountRow[]> =>
  tx
    .getRepository(accountEntity)
    .find({ where: { adminRole: 'owner', suspendedAt: IsNull() }, order: { id: 'ASC' }, lock });

export const findAdmin = (tx: Tx, id: string): Promise<AccountRow | null> =>
  tx.getRepository(accountEntity).findOneBy({ id, role: 'admin' });

/** Along the index of the roles, which users have none of. */
export const listAdmins = (tx: Tx): Promise<AccountRow[]> =>
  tx
    .getRepository(accountEntity)
    .find({ where: { role: 'admin', adminRole: Not(IsNull()) }, order: { id: 'ASC' } });

export const lockAdmin = (tx: Tx, id: string): Promise<AccountRow | null> =>
  tx.getRepository(accountEntity).findOne({ where: { id, role: 'admin' }, lock });

export const updateAdminName = async (tx: Tx, id: string, adminName: string): Promise<void> => {
  await tx.getRepository(accountEntity).update({ id, role: 'admin' }, { adminName });
};

export const updateAccess = async (
  tx: Tx,
  id: string,
  change: Partial<Pick<AccountRow, 'adminRole' | 'adminVersion' | 'suspendedAt'>>,
): Promise<void> => {
  await tx.getRepository(accountEntity).update({ id, role: 'admin' }, change);
};

export const deleteAdmin = async (tx: Tx, id: string): Promise<void> => {
  await tx.getRepository(accountEntity).delete({ id, role: 'admin' });
};

type NewAdminRow = Pick<NewAccountRow, 'id' | 'email' | 'passwordHash'> & {
  role: AdminRole;
  name: string | null;
  now: Date;
};

/** The account of a new admin, with a confirmed email. */
export const newAdmin = ({ id, email, passwordHash, role, name, now }: NewAdminRow): NewAccountRow => ({
  id,
  email,
  passwordHash,
  role: 'admin',
  createdAt: now,
  emailVerifiedAt: now,
  ownedSince: now,
  termsVersion: null,
  termsAcceptedAt: null,
  adminRole: role,
  adminName: name,
  adminVersion: 0,
  suspendedAt: null,
});

export const presentAdmin = (account: AccountRow): AdminView => ({
  userId: account.id,
  email: account.email,
  name: account.adminName,
  role: accessOf(account).role,
});

/** The ids of the accounts that have a confirmed authenticator app. */
const listTotpOwners = async (tx: Tx, ids: string[]): Promise<string[]> => {
  const where = { accountId: In(ids), confirmedAt: Not(IsNull()) };
  return (await tx.getRepository(totpEntity).find({ select: { accountId: true }, where })).map(
    ({ accountId }) => accountId,
  );
};

const listPasskeyOwners = async (tx: Tx, ids: string[]): Promise<string[]> =>
  (
    await tx.getRepository(passkeyEntity).find({ select: { accountId: true }, where: { accountId: In(ids) } })
  ).map(({ accountId }) => accountId);

const listInvitations = (tx: Tx): Promise<InvitationRow[]> =>
  tx.getRepository(invitationEntity).find({ order: { id: 'ASC' } });

const isOwner = (tx: Tx, id: string): Promise<boolean> =>
  tx.getRepository(accountEntity).existsBy({ id, adminRole: 'owner', suspendedAt: IsNull() });

/** An invitation that can be accepted: not expired, and from an owner who is not suspended. */
export const findOpenInvitation = async (tx: Tx, id: string, now: Date): Promise<InvitationRow | null> => {
  const invitation = await tx.getRepository(invitationEntity).findOneBy({ id, expiresAt: MoreThan(now) });
  if (invitation === null) return null;
  return (await isOwner(tx, invitation.invitedBy)) ? invitation : null;
};

export const lockInvitation = (tx: Tx, id: string): Promise<InvitationRow | null> =>
  tx.getRepository(invitationEntity).findOne({ where: { id }, lock });

export const lockInvitationsBy = (tx: Tx, invitedBy: string): Promise<InvitationRow[]> =>
  tx.getRepository(invitationEntity).find({ where: { invitedBy }, order: { id: 'ASC' }, lock });

export const insertInvitation = (tx: Tx, row: InvitationRow): Promise<void> =>
  insertRows(tx, invitationEntity, row);

export const renewInvitation = async (
  tx: Tx,
  id: string,
  change: Pick<InvitationRow, 'invitedBy' | 'expiresAt'>,
): Promise<void> => {
  await tx.getRepository(invitationEntity).update({ id }, change);
};

export const deleteInvitation = async (tx: Tx, id: string): Promise<void> => {
  await tx.getRepository(invitationEntity).delete({ id });
};

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
