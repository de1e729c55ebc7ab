import { type AuditRecord, recordAdminChange, recordSystemChange } from '@shortlist/audit/audit-log';
import type { AdminRole } from '@shortlist/contracts/admin-permissions';
import { SYSTEM_ACTOR_ID } from '@shortlist/contracts/api/audit';
import type { AccessChange } from '@shortlist/contracts/api/team';
import { adminAccessChanged, ownerAdded } from '@shortlist/contracts/events/identity';
import { accountRight, adminRight } from '@shortlist/contracts/api/endpoint';
import { type Db, inTransaction, type Tx } from '@shortlist/kit/data/db';
import type { Caller } from '@shortlist/kit/http/service-token';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Clock } from '@shortlist/kit/process/clock';
import { nextVersion } from '@shortlist/kit/data/version.rules';
import { createError } from '@shortlist/kit/process/errors';
import { uuidv7 } from 'uuidv7';
import { deleteTraces } from '../accounts/delete-account.ts';
import { beginGeneration, endRight } from '../accounts/end-right.ts';
import {
  accessOf,
  type AccountRow,
  findAccountByEmail,
  insertAccount,
  lockAccount,
} from '../accounts/queries.ts';
import { deletePasskeys, deleteRecoveryCodes, deleteTotp } from '../factors/queries.ts';
import type { Hasher } from '../passwords.ts';
import { endInvitationsBy, lockOtherAdmin } from './invite-admin.ts';
import { deleteAdmin, newAdmin, updateAccess, updateAdminName } from './queries.ts';

type Parts = { db: Db; hasher: Hasher; clock: Clock };
type NewAdmin = { email: string; password: string; role?: AdminRole };
type Created = { id: string; email: string; role: AdminRole };

/** Records an admin who was not invited. A new owner is reported to the other owners. */
const recordCreation = async (tx: Tx, { id, email, role }: Created, clock: Clock): Promise<void> => {
  const data = { by: SYSTEM_ACTOR_ID };
  if (role === 'owner') await emit(tx, ownerAdded, { subject: id, data, clock });
  await recordSystemChange(tx, {
    action: 'team.create',
    targetId: id,
    after: { email, role },
    clock,
  });
};

/**
 * Creates an admin. Does not change an existing one, so that a repeated installation neither logs an admin out nor restores an earlier password.
 */
export const createAdmin = async (
  { db, hasher, clock }: Parts,
  { email, password, role = 'owner' }: NewAdmin,
): Promise<'created' | 'unchanged'> => {
  if (await findAccountByEmail(db.manager, email, 'admin')) return 'unchanged';
  const passwordHash = await hasher.hash(password);
  const id = uuidv7();
  await inTransaction(db, async (tx) => {
    await insertAccount(tx, newAdmin({ id, email, passwordHash, role, name: null, now: clock() }));
    await recordCreation(tx, { id, email, role }, clock);
  });
  return 'created';
};

type OfAdmin<More = unknown> = { id: string; caller: Caller; clock: Clock } & More;
type Entry = Pick<AuditRecord, 'action' | 'before' | 'after'>;

/** Emits and records an admin's new permissions, and ends the invitations of one who is no longer an owner. */
const announce = async (
  tx: Tx,
  admin: AccountRow,
  {
    caller,
    clock,
    entry,
    isRemoved = false,
  }: { caller: Caller; clock: Clock; entry: Entry; isRemoved?: boolean },
): Promise<AccessChange> => {
  const access = accessOf(admin);
  if (access.role !== 'owner') await endInvitationsBy(tx, admin.id, { caller, clock });
  const { generation } = admin;
  await endRight(tx, adminRight(admin.id, access.version), { subject: admin.id, clock });
  const data = { ...access, generation, by: caller.userId ?? '', isRemoved };
  await emit(tx, adminAccessChanged, { subject: admin.id, data, clock });
  await recordAdminChange(tx, { ...entry, targetId: admin.id, caller, clock });
  return { data: { access, generation } };
};

const change = async (
  tx: Tx,
  { id, caller, clock }: OfAdmin,
  changeOf: (admin: AccountRow) => Entry & { columns: Partial<AccountRow> },
): Promise<AccessChange> => {
  const admin = await lockOtherAdmin(tx, id, caller);
  const { columns, ...entry } = changeOf(admin);
  const changed = { ...admin, ...columns, adminVersion: nextVersion(admin.adminVersion, clock()) };
  const { adminRole, adminVersion, suspendedAt } = changed;
  await updateAccess(tx, id, { adminRole, adminVersion, suspendedAt });
  // Sessions of a suspended admin must not continue when the suspension ends.
  if (accessOf(changed).role === null) changed.generation = await beginGeneration(tx, id, clock);
  if (accessOf(admin).role !== 'owner' && accessOf(changed).role === 'owner')
    await emit(tx, ownerAdded, { subject: id, data: { by: caller.userId ?? '' }, clock });
  return announce(tx, changed, { caller, clock, entry });
};

export const changeRole = (tx: Tx, input: OfAdmin<{ role: AdminRole }>): Promise<AccessChange> =>
  change(tx, input, ({ adminRole }) => ({
    columns: { adminRole: input.role },
    action: 'team.change_role',
    before: { role: adminRole },
    after: { role: input.role },
  }));

/** A suspended admin cannot log in, and no session continues. */
export const suspendAdmin = (tx: Tx, input: OfAdmin<{ reason: string }>): Promise<AccessChange> =>
  change(tx, input, () => ({
    columns: { suspendedAt: input.clock() },
    action: 'team.suspend',
    after: { reason: input.reason },
  }));

export const restoreAdmin = (tx: Tx, input: OfAdmin): Promise<AccessChange> =>
  change(tx, input, () => ({
    columns: { suspendedAt: null },
    action: 'team.restore',
  }));

/** Deletes the account of an admin, whose actions stay in the audit log. */
export const removeAdmin = async (tx: Tx, { id, caller, clock }: OfAdmin): Promise<AccessChange> => {
  const admin = await lockOtherAdmin(tx, id, caller);
  await deleteTotp(tx, id);
  await deleteRecoveryCodes(tx, id);
  await deletePasskeys(tx, id);
  await deleteTraces(tx, id);
  await deleteAdmin(tx, id);
  const { adminVersion, generation } = admin;
  const removed = {
    ...admin,
    adminRole: null,
    adminVersion: nextVersion(adminVersion, clock()),
    generation: nextVersion(generation, clock()),
  };
  await endRight(tx, accountRight(id, removed.generation), { subject: id, clock });
  const before = { email: admin.email, role: admin.adminRole };
  return announce(tx, removed, {
    caller,
    clock,
    entry: { action: 'team.remove', before },
    isRemoved: true,
  });
};

type Renaming = { id: string; name: string; caller: Caller; clock: Clock };

/** Stores an admin's name. The same name changes nothing. */
export const renameAdmin = async (tx: Tx, { id, name, caller, clock }: Renaming): Promise<AccountRow> => {
  const admin = await lockAccount(tx, id);
  if (admin?.role !== 'admin') throw createError('identity.admin_not_found');
  if (admin.adminName === name) return admin;
  await updateAdminName(tx, id, name);
  await recordAdminChange(tx, {
    action: 'admin.rename',
    targetId: id,
    before: { name: admin.adminName },
    after: { name },
    caller,
    clock,
  });
  return { ...admin, adminName: name };
};
