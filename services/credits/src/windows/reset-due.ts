import type { Clock } from '@shortlist/kit/clock';
import { type Db, inTransaction } from '@shortlist/kit/db';
import { openWindow } from './open-window.ts';
import { listDueWindows } from './queries.ts';
import { nextFreeWindow } from './window.rules.ts';

/**
 * Opens the next window for a chunk of those whose free window has run out, in one transaction. Two workers at once, or
 * a second run, find the same windows and open none twice.
 */
export const resetDue = async (
  db: Db,
  { clock, limit }: { clock: Clock; limit: number },
): Promise<{ reset: number; more: boolean }> => {
  const now = clock();
  const due = await listDueWindows(db.manager, now, limit);
  const reset = await inTransaction(db, async (tx) => {
    let opened = 0;
    for (const { userId, endsAt } of due) {
      if (await openWindow(tx, userId, { window: nextFreeWindow(endsAt, now), clock })) opened += 1;
    }
    return opened;
  });
  return { reset, more: due.length === limit };
};
