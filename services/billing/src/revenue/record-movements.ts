import { type Db, inTransaction, type Tx } from '@shortlist/kit/data/db';
import type { Clock } from '@shortlist/kit/process/clock';
import { listUsersFrom, lockSubscriber } from '../subscriptions/queries.ts';
import { addToCohorts, addToSums, insertMovements, listMovements, readRecords } from './movement-queries.ts';
import {
  addUp,
  missingCohortChanges,
  missingMovements,
  type Movement,
  movementsOf,
} from './movement.rules.ts';

/** Of some users, what their records say and what is stored as their movements. */
const readMovements = async (
  tx: Tx,
  userIds: string[],
  now: Date,
): Promise<{ userId: string; derived: Movement[]; stored: Movement[] }[]> => {
  const [recordsOf, movements] = [await readRecords(tx, userIds), await listMovements(tx, userIds)];
  return userIds.map((userId) => ({
    userId,
    derived: movementsOf(recordsOf(userId), now),
    stored: addUp(movements.get(userId) ?? []),
  }));
};

/**
 * Adds the movements that follow from the user's records and are not stored yet, with corrections of those that no longer follow. The caller
 * has locked the subscriber's row, and calls this last, because all transactions add to the same sums. Returns what was added.
 */
export const recordMovements = async (tx: Tx, userId: string, now: Date): Promise<Movement[]> => {
  const [found] = await readMovements(tx, [userId], now);
  const missing = found ? missingMovements(found.derived, found.stored) : [];
  if (found === undefined || missing.length === 0) return [];
  await insertMovements(tx, userId, { movements: missing, recordedAt: now });
  await addToCohorts(tx, missingCohortChanges(found.derived, found.stored));
  await addToSums(tx, missing);
  return missing;
};

const PAGE = 200;

type RecordedPage = {
  /** The last user of the page; null after all users. */
  last: string | null;
  added: { userId: string; movements: Movement[] }[];
  failed: { userId: string; error: unknown }[];
};

/**
 * Records what is missing of the next users after `after`, by id, as what only time has brought: the end of a subscription whose renewal failed.
 * A user for whom this fails does not keep it from the others.
 */
export const recordPage = async (
  { db, clock }: { db: Db; clock: Clock },
  after: string,
): Promise<RecordedPage> => {
  const userIds = await listUsersFrom(db.manager, after, PAGE);
  const page: RecordedPage = { last: null, added: [], failed: [] };
  if (userIds.length === PAGE) page.last = userIds.at(-1) ?? null;
  if (userIds.length === 0) return page;
  for (const { userId, derived, stored } of await readMovements(db.manager, userIds, clock())) {
    if (missingMovements(derived, stored).length === 0) continue;
    try {
      const movements = await inTransaction(db, async (tx) => {
        await lockSubscriber(tx, userId);
        return recordMovements(tx, userId, clock());
      });
      page.added.push({ userId, movements });
    } catch (error) {
      page.failed.push({ userId, error });
    }
  }
  return page;
};
