import type { Tx } from '@shortlist/kit/data/db';
import type { Caller } from '@shortlist/kit/http/service-token';
import { createError } from '@shortlist/kit/process/errors';
import type { AccountRow } from '../accounts/account.entity.ts';
import { lockAdmin, lockOwners } from './queries.ts';

/**
 * Throws unless the caller is an owner now. The lock on the owners makes their changes of the team one after the other: of two owners
 * who demote each other at the same moment, the second is no owner any more.
 */
export const assertOwner = async (tx: Tx, { role, userId }: Caller): Promise<string> => {
  const owners = role === 'admin' ? await lockOwners(tx) : [];
  const owner = owners.find(({ id }) => id === userId);
  if (owner === undefined) throw createError('session.permission_missing');
  return owner.id;
};

/**
 * The admin whom an owner changes, locked. Throws `identity.own_access` for the caller: since an owner cannot change their own access, the
 * owner who changes another remains, and there is always one.
 */
export const lockOtherAdmin = async (tx: Tx, id: string, caller: Caller): Promise<AccountRow> => {
  const ownerId = await assertOwner(tx, caller);
  if (id === ownerId) throw createError('identity.own_access');
  const admin = await lockAdmin(tx, id);
  if (admin === null) throw createError('identity.admin_not_found');
  return admin;
};
