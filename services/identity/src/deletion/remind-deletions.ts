import { DELETION_REMINDER_DAYS } from '@shortlist/contracts/limits';
import { deletionApproaching } from '@shortlist/contracts/events/identity';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Clock } from '@shortlist/kit/process/clock';
import { listUnreminded, markReminded } from './queries.ts';

const CHUNK = 100;
const DAY_MS = 86_400_000;

/** Causes the reminder of every deletion that is due soon, once for each. */
export const remindDeletions = async (db: Db, clock: Clock): Promise<{ reminded: number; more: boolean }> => {
  const before = new Date(clock().getTime() + DELETION_REMINDER_DAYS * DAY_MS);
  const due = await listUnreminded(db.manager, before, CHUNK);
  for (const { id, accountId, dueAt } of due)
    await inTransaction(db, async (tx) => {
      if (!(await markReminded(tx, id, clock()))) return;
      const data = { deletionId: id, dueAt: dueAt.toISOString() };
      await emit(tx, deletionApproaching, { subject: accountId, data, clock });
    });
  return { reminded: due.length, more: due.length === CHUNK };
};
