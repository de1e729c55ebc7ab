import { days } from '@shortlist/contracts/durations';
import { deletionApproaching } from '@shortlist/contracts/events/identity';
import { DELETION_REMINDER_DAYS } from '@shortlist/contracts/limits';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import type { Caller } from '@shortlist/kit/http/service-token';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Clock } from '@shortlist/kit/process/clock';
import { eraseUser } from '../accounts/erase-user.ts';
import { listUnreminded, lockDueDeletion, markReminded } from './queries.ts';

/** Deletes an account whose deletion is due. Returns false, and changes nothing, for one that was deleted already, or is kept. */
export const eraseDueUser = (
  db: Db,
  { deletionId, clock }: { deletionId: string; clock: Clock },
): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    const deletion = await lockDueDeletion(tx, deletionId, clock());
    if (deletion === null) return false;
    // The user has caused it.
    const caller: Caller = { role: 'user', userId: deletion.accountId };
    await eraseUser(tx, { id: deletion.accountId, caller, clock });
    return true;
  });

const CHUNK = 100;

/** Causes the reminder of every deletion that is due soon, once for each. */
export const remindDeletions = async (db: Db, clock: Clock): Promise<{ reminded: number; more: boolean }> => {
  const before = new Date(clock().getTime() + days(DELETION_REMINDER_DAYS));
  const due = await listUnreminded(db.manager, before, CHUNK);
  for (const { id, accountId, dueAt } of due)
    await inTransaction(db, async (tx) => {
      if (!(await markReminded(tx, id, clock()))) return;
      const data = { deletionId: id, dueAt: dueAt.toISOString() };
      await emit(tx, deletionApproaching, { subject: accountId, data, clock });
    });
  return { reminded: due.length, more: due.length === CHUNK };
};
