import { recordAdminChange } from '@shortlist/audit/audit-log';
import type { Tx } from '@shortlist/kit/data/db';
import type { Caller } from '@shortlist/kit/http/service-token';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import { type AccountRow, lockAccount } from '../accounts/queries.ts';
import { assertOwner } from '../team/invite-admin.ts';

type Retry = { id: string; role: AccountRow['role']; caller: Caller; clock: Clock };

/** Records that an admin retries the email of an account, and returns the email. Only an owner may retry that of another admin. */
export const recordEmailRetry = async (tx: Tx, { id, role, caller, clock }: Retry): Promise<string> => {
  if (role === 'admin') await assertOwner(tx, caller);
  const account = await lockAccount(tx, id);
  if (account?.role !== role) throw createError('identity.user_not_found');
  await recordAdminChange(tx, { action: 'account.retry_email', targetId: id, caller, clock });
  return account.email;
};
