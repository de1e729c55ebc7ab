import { recordAdminChange } from '@shortlist/audit/audit-log';
import type { Tx } from '@shortlist/kit/data/db';
import type { Caller } from '@shortlist/kit/http/service-token';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import { type AccountRow, lockAccount, updateAdminName } from './queries.ts';

type Renaming = { id: string; name: string; caller: Caller; clock: Clock };

/** Stores the name that an admin has in the panel. The same name changes nothing. */
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
