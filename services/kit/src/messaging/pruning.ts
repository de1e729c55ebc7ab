import type { Clock } from '../process/clock.ts';
import { affectedRows, type Db } from '../data/db.ts';
import { INBOX_DAYS } from './inbox.ts';
import type { Log } from '../process/log.ts';

/** `remove` is a statement that takes the time before which rows are old, and how many it may delete. */
export type PruneRule = { days: number; remove: string };
type Parts = { db: Db; clock: Clock; log: Log; more?: readonly PruneRule[] | undefined };

const DAY_MS = 86_400_000;
const EVERY_MS = 10 * 60_000;
/** Few enough that nobody waits for the rows' locks. */
const CHUNK = 1_000;

const RULES: readonly PruneRule[] = [
  // Published facts stay for a week, for whoever asks what was told.
  { days: 7, remove: 'DELETE FROM outbox WHERE published_at < ? ORDER BY published_at LIMIT ?' },
  { days: INBOX_DAYS, remove: 'DELETE FROM inbox WHERE handled_at < ? ORDER BY handled_at LIMIT ?' },
];

const prune = async ({ db, clock, more = [] }: Parts, isStopped: () => boolean): Promise<void> => {
  for (const { days, remove } of [...RULES, ...more]) {
    const before = new Date(clock().getTime() - days * DAY_MS);
    while (!isStopped() && affectedRows(await db.query(remove, [before, CHUNK])) === CHUNK);
  }
};

/** Lets go of what a service's outbox and inbox need no longer, and of `more`, now and from time to time. Two at once do no harm. */
export const startPruning = (parts: Parts): { stop: () => Promise<void> } => {
  let stopped = false;
  let pruning = Promise.resolve();
  const begin = (): void => {
    pruning = prune(parts, () => stopped).catch((error: unknown) =>
      parts.log.warn({ err: error }, 'pruning left for later'),
    );
  };
  begin();
  const timer = setInterval(begin, EVERY_MS);
  return {
    stop: async () => {
      stopped = true;
      clearInterval(timer);
      await pruning;
    },
  };
};
