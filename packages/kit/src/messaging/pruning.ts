import { days, minutes } from '@shortlist/contracts/durations';
import type { Db } from '../data/db.ts';
import { changeInChunks } from '../data/sql.ts';
import type { Clock } from '../process/clock.ts';
import type { Log } from '../process/log.ts';
import { EVENT_DAYS, INBOX_DAYS } from './bus.ts';

/** `remove` is a DELETE with two parameters: the time before which rows have expired, and the number of rows to delete. */
export type PruneRule = { days: number; remove: string };
type Parts = { db: Db; clock: Clock; log: Log; more?: readonly PruneRule[] | undefined };

const INTERVAL_MS = minutes(10);

const RULES: readonly PruneRule[] = [
  // Published events are kept for a week, so that an operator can look them up.
  { days: EVENT_DAYS, remove: 'DELETE FROM outbox WHERE published_at < ? ORDER BY published_at LIMIT ?' },
  // Far longer than a token lives.
  { days: 1, remove: 'DELETE FROM ended_rights WHERE ended_at < ? ORDER BY ended_at LIMIT ?' },
  { days: INBOX_DAYS, remove: 'DELETE FROM inbox WHERE handled_at < ? ORDER BY handled_at LIMIT ?' },
];

const prune = async ({ db, clock, more = [] }: Parts, isStopped: () => boolean): Promise<void> => {
  for (const { days: kept, remove } of [...RULES, ...more]) {
    const before = new Date(clock().getTime() - days(kept));
    await changeInChunks(db, { sql: remove, values: [before] }, isStopped);
  }
};

/** Deletes expired rows of outbox and inbox, and those of the rules in `more`, at once and every ten minutes. Safe to run twice. */
export const startPruning = (parts: Parts): { stop: () => Promise<void> } => {
  let stopped = false;
  let running = Promise.resolve();
  const run = (): void => {
    running = prune(parts, () => stopped).catch((error: unknown) =>
      parts.log.warn({ err: error }, 'pruning failed; next run in ten minutes'),
    );
  };
  run();
  const timer = setInterval(run, INTERVAL_MS);
  return {
    stop: async () => {
      stopped = true;
      clearInterval(timer);
      await running;
    },
  };
};
