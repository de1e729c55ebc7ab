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

/**
 * Records what is missing of the next users after `after`, by id, as what only time has brought: the end of a subscription whose renewal failed.
 * Returns the last of them, null after all, and the users with what was added.
 */
export const recordPage = async (
  { db, clock }: { db: Db; clock: Clock },
  after: string,
): Promise<{ last: string | null; added: { userId: string; movements: Movement[] }[] }> => {
  const userIds = await listUsersFrom(db.manager, after, PAGE);
  if (userIds.length === 0) return { last: null, added: [] };
  const added: { userId: string; movements: Movement[] }[] = [];
  for (const { userId, derived, stored } of await readMovements(db.manager, userIds, clock())) {
    if (missingMovements(derived, stored).length === 0) continue;
    const movements = await inTransaction(db, async (tx) => {
      await lockSubscriber(tx, userId);
      return recordMovements(tx, userId, clock());
    });
    added.push({ userId, movements });
  }
  return { last: userIds.length < PAGE ? null : (userIds.at(-1) ?? null), added };
};
