import { recordAction } from '@shortlist/audit/audit-log';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import type { Clock } from '@shortlist/kit/process/clock';
import type { AccountRow } from '../accounts/account.entity.ts';

/** Adds a log-in of an admin to the audit log; log-ins of users are not part of it. */
export const recordLogIn = async (
  db: Db,
  { id, role }: AccountRow,
  origin: { address: string; clock: Clock },
): Promise<void> => {
  if (role !== 'admin') return;
  const entry = { action: 'admin.log_in', actorId: id, targetId: id, before: null, after: null };
  await inTransaction(db, (tx) => recordAction(tx, { ...entry, ...origin }));
};
