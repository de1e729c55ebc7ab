import { setTimeout as sleep } from 'node:timers/promises';
import { redactEntries } from '@shortlist/audit/audit-log';
import { seconds } from '@shortlist/contracts/durations';
import type { CloudEvent } from '@shortlist/contracts/events/define';
import type { UserDeleted } from '@shortlist/contracts/events/identity';
import { type Db, inTransaction, type Tx } from '@shortlist/kit/data/db';
import type { Deletion } from '@shortlist/kit/data/deletions-to-repeat';
import { withLock } from '@shortlist/kit/data/named-lock';
import { change } from '@shortlist/kit/data/sql';
import { handleOnce, type Inbox } from '@shortlist/kit/messaging/inbox';
import { repeat, type Repetition } from '@shortlist/kit/process/clock';
import type { Log } from '@shortlist/kit/process/log';
import { closeAccount, findUserWithRowsLeft, updateRowsLeft } from './accounts/queries.ts';

/** Rows of one statement, and a pause after those of all tables, in which other users' requests go on. */
const BATCH = 500;
const PAUSE_MS = 20;
/** Rounds of one handler or one run in the background: a handler has twenty seconds, and delays the events behind it. */
const ROUNDS = 10;

/** Without a bucket of the plan every charge, commit and release is refused, so the tables with few rows of each user come first. */
const TABLES = [
  ...['free_cycles', 'credit_buckets', 'exhausted_windows'],
  ...['reservations', 'contacts', 'daily_uses', 'ledger_parts', 'ledger'],
];

/**
 * Deletes rows of one table after the other: a deletion that held the locks of one while it waited for another would deadlock with charges. A
 * charge that read its buckets before may still add rows, so rounds go on until one finds nothing. Returns whether one did.
 */
const deleteSome = async (db: Db, userId: string): Promise<boolean> => {
  for (let round = 0; round < ROUNDS; round += 1) {
    let deleted = 0;
    for (const table of TABLES) {
      const statement = { sql: `DELETE FROM ${table} WHERE user_id = ? LIMIT ?`, values: [userId, BATCH] };
      deleted += (await inTransaction(db, (tx) => change(tx, statement))).affectedRows;
    }
    if (deleted === 0) return true;
    await sleep(PAUSE_MS);
  }
  return false;
};

/** Deletes everything about a user, in ROUNDS rounds at most. Returns what ends the deletion: until then it is repeated as a whole. */
const begin = async (db: Db, userId: string, deletedAt: Date): Promise<(tx: Tx) => Promise<void>> => {
  await inTransaction(db, (tx) => closeAccount(tx, userId, deletedAt));
  const isDone = await deleteSome(db, userId);
  return async (tx) => {
    await updateRowsLeft(tx, userId, !isDone);
    await redactEntries(tx, userId);
  };
};

/** The event counts as handled last, so an interrupted deletion is repeated. */
export const eraseUser =
  (inbox: Inbox) =>
  async (event: CloudEvent<UserDeleted>): Promise<void> => {
    await handleOnce(inbox, event, await begin(inbox.db, event.subject, new Date(event.time)));
  };

export const eraseAgain =
  (db: Db) =>
  async ({ userId, deletedAt }: Deletion): Promise<void> => {
    await inTransaction(db, await begin(db, userId, deletedAt));
  };

/** Continues the deletion of one user, in one process at a time. Returns false if there was none. */
export const eraseRemaining = async (db: Db): Promise<boolean> => {
  const userId = await findUserWithRowsLeft(db.manager);
  if (userId === null) return false;
  await withLock(db, 'erase-users', async () => {
    if (await deleteSome(db, userId)) await updateRowsLeft(db.manager, userId, false);
  });
  return true;
};

const IDLE_MS = seconds(5);

export const startErasing = ({ db, log }: { db: Db; log: Log }): Repetition =>
  repeat(async () => {
    try {
      return (await eraseRemaining(db)) ? PAUSE_MS : IDLE_MS;
    } catch (error) {
      log.warn({ err: error }, 'rows of a deleted user not deleted, next try in five seconds');
      return IDLE_MS;
    }
  });
