import type { Clock } from '@shortlist/kit/process/clock';
import { type Db, inTransaction, type Tx } from '@shortlist/kit/data/db';
import { tellOfReset } from './open-window.ts';
import { deleteCycles, insertWindows, listFreeEnds, lockDueCycles, setFreeDues } from './queries.ts';
import { nextFreeWindow } from './window.rules.ts';

const resetChunk = async (tx: Tx, clock: Clock, limit: number): Promise<{ due: number; reset: number }> => {
  const now = clock();
  const due = await lockDueCycles(tx, now, limit);
  const ends = await listFreeEnds(tx, due);
  const next = [...ends]
    .filter(([, end]) => end <= now)
    .map(([userId, end]) => ({ userId, window: nextFreeWindow(end, now) }));
  await insertWindows(tx, next);
  for (const { userId, window } of next) ends.set(userId, window.endsAt);
  await setFreeDues(
    tx,
    [...ends].map(([userId, dueAt]) => ({ userId, dueAt })),
  );
  await deleteCycles(
    tx,
    due.filter((userId) => !ends.has(userId)),
  );
  for (const { userId, window } of next) await tellOfReset(tx, userId, { window, clock });
  return { due: due.length, reset: next.length };
};

/**
 * Opens the next window for a chunk of those whose free window has run out, in one transaction. Two workers at once take
 * different chunks; a second run finds nothing due; a week of downtime is caught up by one window each.
 */
export const resetDue = async (
  db: Db,
  { clock, limit }: { clock: Clock; limit: number },
): Promise<{ reset: number; more: boolean }> => {
  const { due, reset } = await inTransaction(db, (tx) => resetChunk(tx, clock, limit));
  return { reset, more: due === limit };
};
