import type { DuePage } from '../subscriptions/queries.ts';
import type { RefreshParts } from '../refresh/refresh-subscriber.ts';

const PAGE = 200;
const CONCURRENCY = 4;

export type Result = { done: number; failed: number };

type Due = {
  list: (page: DuePage) => Promise<string[]>;
  /** Returns whether something was done: another run may have been faster. */
  run: (userId: string) => Promise<boolean>;
  /** The log message of a failure. */
  failure: string;
};

const runPage = async (
  { log }: RefreshParts,
  userIds: readonly string[],
  { run, failure }: Due,
): Promise<Result> => {
  const result: Result = { done: 0, failed: 0 };
  const waiting = [...userIds];
  const work = async (): Promise<void> => {
    for (let userId = waiting.shift(); userId !== undefined; userId = waiting.shift()) {
      try {
        if (await run(userId)) result.done += 1;
      } catch (error) {
        result.failed += 1;
        log.warn({ err: error, userId }, failure);
      }
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return result;
};

/**
 * Does what is due for each user, a few at a time. It stops after a page in which every user failed: Stripe is unavailable, and the
 * next run follows soon.
 */
export const forEachDue = async (parts: RefreshParts, due: Due): Promise<Result> => {
  const result: Result = { done: 0, failed: 0 };
  for (let afterUserId = ''; ;) {
    const userIds = await due.list({ now: parts.clock(), afterUserId, limit: PAGE });
    const { done, failed } = await runPage(parts, userIds, due);
    result.done += done;
    result.failed += failed;
    if (userIds.length < PAGE || failed === PAGE) return result;
    afterUserId = userIds.at(-1) ?? '';
  }
};
