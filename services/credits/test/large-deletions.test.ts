import { userDeleted } from '@shortlist/contracts/events/identity';
import { createTestDb } from '@shortlist/kit/testing/databases';
import { eventOf } from '@shortlist/kit/testing/event-of';
import { numbersBelow } from '@shortlist/kit/testing/numbers';
import { until } from '@shortlist/kit/testing/until';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { schema } from '../src/db.ts';
import { eraseRemaining, eraseUser } from '../src/erase-user.ts';
import { openCheckedCredits, START } from './support.ts';

let database: Awaited<ReturnType<typeof createTestDb>>;
beforeAll(async () => {
  database = await createTestDb(schema);
});
afterAll(() => database.drop());

const ROWS = 6_200;
/** What a handler deletes itself. */
const HANDLED = 5_000;

type Database = Pick<typeof database, 'db'>;

/** A user with many entries, and as many reservations. */
const insertRows = async ({ db }: Database): Promise<string> => {
  const userId = uuidv7();
  await db.query(
    `INSERT INTO ledger (user_id, window_id, operation_id, amount, reason, used_after, created_at)
     SELECT ?, 0, CONCAT('old-', n), 0, 'email_found', 0, ? FROM ${numbersBelow(ROWS)}`,
    [userId, START],
  );
  await db.query(
    `INSERT INTO reservations (id, user_id, operation_id, state, expires_at, hold_seconds)
     SELECT UUID(), ?, CONCAT('old-', n), 'released', ?, 900 FROM ${numbersBelow(ROWS)}`,
    [userId, START],
  );
  return userId;
};

const countRows = async ({ db }: Database, userId: string): Promise<number[]> => {
  const counts: number[] = [];
  for (const table of ['ledger', 'reservations']) {
    const [row] = await db.query<[{ count: string }]>(
      `SELECT COUNT(*) AS count FROM ${table} WHERE user_id = ?`,
      [userId],
    );
    counts.push(Number(row.count));
  }
  return counts;
};

const deletedEvent = (userId: string) => eventOf(userDeleted, userId, { by: 'user', generation: 1 });
const inboxOf = ({ db }: Database) => ({ db, clock: () => START, consumer: 'credits' });

describe('the deletion of a user with many rows', () => {
  it('deletes some in the handler, in batches, and the rest in the background', async () => {
    const userId = await insertRows(database);
    const other = await insertRows(database);
    await eraseUser(inboxOf(database))(deletedEvent(userId));
    expect(await countRows(database, userId)).toEqual([ROWS - HANDLED, ROWS - HANDLED]);
    expect(await eraseRemaining(database.db)).toBe(true);
    expect(await countRows(database, userId)).toEqual([0, 0]);
    expect(await eraseRemaining(database.db)).toBe(false);
    expect(await countRows(database, other)).toEqual([ROWS, ROWS]);
  });

  it('goes on where it was when the handler fails and the event is delivered again', async () => {
    const userId = await insertRows(database);
    const event = deletedEvent(userId);
    const { db } = database;
    const transaction = db.transaction.bind(db) as (work: never) => Promise<never>;
    let left = 20;
    db.transaction = (work: never) => {
      left -= 1;
      return left === 0 ? Promise.reject(new Error('lost')) : transaction(work);
    };
    await expect(eraseUser(inboxOf(database))(event)).rejects.toThrow('lost');
    db.transaction = transaction;
    const [entries = 0] = await countRows(database, userId);
    expect(entries).toBeLessThan(ROWS);
    for (const _ of ['again', 'delivered twice']) await eraseUser(inboxOf(database))(event);
    expect(await countRows(database, userId)).toEqual([0, 0]);
    while (await eraseRemaining(db));
    expect(await db.query('SELECT event_id FROM inbox WHERE event_id = ?', [event.id])).toHaveLength(1);
  });

  it('is continued by two processes at a time without an error', async () => {
    const userId = await insertRows(database);
    await eraseUser(inboxOf(database))(deletedEvent(userId));
    await Promise.all([eraseRemaining(database.db), eraseRemaining(database.db)]);
    await eraseRemaining(database.db);
    expect(await countRows(database, userId)).toEqual([0, 0]);
  });
});

const credits = await openCheckedCredits();

it('a process deletes in the background what the handler has left', async () => {
  const userId = await insertRows(credits);
  await credits.publish(deletedEvent(userId), 'identity.events');
  await until('the rows to be deleted', async () => (await countRows(credits, userId)).join() === '0,0');
});
