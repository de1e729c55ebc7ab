import { type Db, inTransaction, type Tx } from '@shortlist/kit/data/db';
import type { Clock } from '@shortlist/kit/process/clock';
import { deleteCycles, lockDueCycles, upsertCycles } from './free-cycle-queries.ts';
import { insertWindows, listFreeEnds } from './queries.ts';
import { emitReset } from './credit-window.ts';
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
  await upsertCycles(
    tx,
    [...ends].map(([userId, dueAt]) => ({ userId, dueAt })),
  );
  // A cycle without a free window is left by a charge that did not commit, or by a premium window.
  await deleteCycles(
    tx,
    due.filter((userId) => !ends.has(userId)),
  );
  for (const { userId, window } of next) await emitReset(tx, userId, { window, clock });
  return { due: due.length, reset: next.length };
};

/**
 * Opens the next window of users whose free window has ended, a chunk in one transaction. Concurrent runs take different chunks,
 * a repeated run finds nothing due, and after any downtime each user gets one window.
 */
export const resetDue = async (
  db: Db,
  { clock, limit }: { clock: Clock; limit: number },
): Promise<{ reset: number; more: boolean }> => {
  const { due, reset } = await inTransaction(db, (tx) => resetChunk(tx, clock, limit));
  return { reset, more: due === limit };
};
