import { redactEntries } from '@shortlist/audit/audit-log';
import type { CloudEvent } from '@shortlist/contracts/events/define';
import type { UserDeleted } from '@shortlist/contracts/events/identity';
import { type Db, inTransaction, type Tx } from '@shortlist/kit/data/db';
import { change } from '@shortlist/kit/data/sql';
import { handleOnce, type Inbox } from '@shortlist/kit/messaging/inbox';
import { deleteAccount, insertDeletedUserIfAbsent, lockAccount, lockFreeCycle } from './windows/queries.ts';

/**
 * Marks the user as deleted: from the commit on no plan change and no window of the user begins. The free cycle stays until then,
 * because charges that wait for a row which is deleted under its lock deadlock with each other on MySQL.
 */
const closeAccount = async (tx: Tx, userId: string, at: Date): Promise<void> => {
  await lockAccount(tx, userId);
  await lockFreeCycle(tx, userId, at);
  await insertDeletedUserIfAbsent(tx, userId, at);
  await deleteAccount(tx, userId);
};

/** Deletes the user's rows of a table. Returns how many there were. */
const deleteRows = async (tx: Tx, table: string, userId: string): Promise<number> =>
  (await change(tx, { sql: `DELETE FROM ${table} WHERE user_id = ?`, values: [userId] })).affectedRows;

/** In this order, those of one line in one transaction. */
const RECORDS = [['free_cycles'], ['windows'], ['exhausted_windows'], ['ledger_parts', 'buckets']] as const;

/**
 * Deletes the rows of one table after the other, each in a transaction of its own: a deletion that held the locks of one table while
 * it waited for another would deadlock with charges. Without a window every charge, commit and release is refused. One that
 * read its window before still holds a contact, a counted use or a reservation, so these are deleted until a round finds none.
 */
const deleteRecords = async (db: Db, userId: string): Promise<void> => {
  for (const tables of RECORDS)
    await inTransaction(db, async (tx) => {
      for (const table of tables) await deleteRows(tx, table, userId);
    });
  for (let deleted = 1; deleted > 0;) {
    deleted = await inTransaction(db, (tx) => deleteRows(tx, 'reservations', userId));
    deleted += await inTransaction(db, (tx) => deleteRows(tx, 'contacts', userId));
    deleted += await inTransaction(db, (tx) => deleteRows(tx, 'daily_uses', userId));
  }
};

/** Deletes everything about a user. The event counts as handled with the last step, so an interrupted deletion is repeated. */
export const eraseUser =
  (inbox: Inbox) =>
  async (event: CloudEvent<UserDeleted>): Promise<void> => {
    const { subject: userId, time } = event;
    await inTransaction(inbox.db, (tx) => closeAccount(tx, userId, new Date(time)));
    await deleteRecords(inbox.db, userId);
    await handleOnce(inbox, event, async (tx) => {
      await deleteRows(tx, 'ledger', userId);
      await redactEntries(tx, userId);
    });
  };
