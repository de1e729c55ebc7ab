// The migration to one table, with the statements of the release before: as that left the database, and as it goes on through the views.
import { days } from '@shortlist/contracts/durations';
import { connect, createDb, type Db, inTransaction } from '@shortlist/kit/data/db';
import { createLog } from '@shortlist/kit/process/log';
import { createTestDb, type TestDb } from '@shortlist/kit/testing/databases';
import type { QueryRunner } from 'typeorm';
import { uuidv7 } from 'uuidv7';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { presentBalance, presentUserBuckets } from '../src/balance/present.ts';
import { Charges } from '../src/charges/charge-credit.ts';
import { schema } from '../src/db.ts';
import { moveToOneTable } from '../src/migrations.ts';
import { releaseReservation } from '../src/reservations/settle-reservation.ts';
import { brokenBuckets, START } from './support.ts';

const LATER = new Date(START.getTime() + days(20));
const clock = () => START;
const log = createLog('test', 'silent');

const BEFORE = schema.migrations.slice(
  0,
  schema.migrations.findIndex((migration) => new migration().name?.startsWith('OneTable')),
);

let database: TestDb;
beforeEach(async () => {
  database = await createTestDb({ ...schema, migrations: BEFORE });
});
afterEach(() => database.drop());

/** What the release before sends; it tries again after a deadlock. */
const createOldRelease = (db: Db) => ({
  openWindow: async (
    userId: string,
    source: string,
    plan: 'free' | 'premium',
    limit: number,
  ): Promise<boolean> => {
    const sql = `INSERT IGNORE INTO windows (user_id, source_key, plan, credit_limit, used, starts_at, ends_at) VALUES (?, ?, ?, ?, 0, ?, ?)`;
    const result: { affectedRows: number } = await db.query(sql, [userId, source, plan, limit, START, LATER]);
    return result.affectedRows === 1;
  },
  addBucket: async (userId: string, kind: 'pack' | 'grant', credits: number): Promise<string> => {
    const id = uuidv7();
    await inTransaction(db, async (tx) => {
      await tx.query(
        `INSERT INTO accounts (user_id, plan_version, plan_state) VALUES (?, 0, '{"version":0,"paid":null,"granted":null}')
         ON DUPLICATE KEY UPDATE user_id = VALUES(user_id)`,
        [userId],
      );
      await tx.query(
        `INSERT IGNORE INTO buckets (user_id, id, kind, credits, usable, used, ends_at, version, reason, granted_by, created_at)
         VALUES (?, ?, ?, ?, ?, 0, ?, ?, NULL, NULL, ?)`,
        [userId, id, kind, credits, credits, kind === 'grant' ? LATER : null, Number(kind === 'pack'), START],
      );
      await tx.query('UPDATE accounts SET bucket_version = bucket_version + 1 WHERE user_id = ?', [userId]);
    });
    return id;
  },
  /** Of the window alone. */
  charge: async (userId: string, windowId: number): Promise<boolean> =>
    inTransaction(db, async (tx) => {
      const updated: { affectedRows: number; insertId: number } = await tx.query(
        `UPDATE windows w LEFT JOIN accounts a ON a.user_id = w.user_id SET w.used = LAST_INSERT_ID(w.used + 1)
         WHERE w.id = ? AND w.used + 1 <= w.credit_limit AND w.ends_at > ? AND COALESCE(a.plan_version, 0) = 0`,
        [windowId, START],
      );
      if (updated.affectedRows === 0) return false;
      await tx.query(
        `INSERT INTO ledger (user_id, window_id, operation_id, amount, reason, used_after, created_at, requested_amount)
         VALUES (?, ?, ?, -1, 'email_found', ?, ?, 1)`,
        [userId, windowId, uuidv7(), updated.insertId, START],
      );
      return true;
    }),
  /** Of the window and a bucket after it. Returns the operation id. */
  chargeBoth: async (
    userId: string,
    bucketId: string,
    [inWindow, inBucket]: [number, number],
  ): Promise<string> => {
    const operationId = uuidv7();
    await inTransaction(db, async (tx) => {
      await tx.query('SELECT * FROM accounts WHERE user_id = ? FOR UPDATE', [userId]);
      const [window]: { id: number; used: number }[] = await tx.query(
        'SELECT id, used FROM windows WHERE user_id = ? AND ends_at > ? FOR UPDATE',
        [userId, START],
      );
      await tx.query(
        'UPDATE buckets SET used = used + ? WHERE user_id = ? AND id = ? AND CAST(used AS SIGNED) + ? BETWEEN 0 AND credits',
        [inBucket, userId, bucketId, inBucket],
      );
      const used = Number(window?.used) + inWindow;
      await tx.query('UPDATE windows SET used = ? WHERE id IN (?)', [used, window?.id]);
      const entry: { insertId: number } = await tx.query(
        `INSERT INTO ledger (user_id, window_id, operation_id, amount, reason, used_after, created_at, requested_amount)
         VALUES (?, ?, ?, ?, 'email_found', ?, ?, ?)`,
        [userId, window?.id, operationId, -inWindow - inBucket, used, START, inWindow + inBucket],
      );
      if (inBucket > 0)
        await tx.query(
          'INSERT INTO ledger_parts (entry_id, position, user_id, bucket_id, amount) VALUES (?, 1, ?, ?, ?)',
          [entry.insertId, userId, bucketId, -inBucket],
        );
    });
    return operationId;
  },
  windowOf: async (userId: string): Promise<{ id: number; used: number; left: number }> => {
    const [row]: [{ id: number; used: number; left: number }] = await db.query(
      `SELECT w.id, w.used, w.credit_limit - w.used AS \`left\` FROM (SELECT 1) AS always
       LEFT JOIN windows w ON w.user_id = ? AND w.ends_at > ?`,
      [userId, START],
    );
    return { id: Number(row.id), used: Number(row.used), left: Number(row.left) };
  },
  leftInBuckets: async (userId: string): Promise<number> => {
    const [row]: [{ sum: string }] = await db.query(
      `SELECT COALESCE(SUM(usable - used), 0) AS sum FROM buckets
       WHERE user_id = ? AND usable > used AND (ends_at IS NULL OR ends_at > ?)`,
      [userId, START],
    );
    return Number(row.sum);
  },
});
type OldRelease = ReturnType<typeof createOldRelease>;

const migrate = async (): Promise<Db> => {
  const db = createDb({ url: database.url, ...schema });
  await connect(db, log, AbortSignal.timeout(60_000));
  return db;
};

/** A free user, and one with a grant and a pack, of which a reservation holds credits. */
const seed = async (old: OldRelease) => {
  const [free, buyer] = [uuidv7(), uuidv7()];
  await old.openWindow(free, 'free:1', 'free', 20);
  const { id } = await old.windowOf(free);
  for (let count = 0; count < 3; count += 1) await old.charge(free, id);
  await old.openWindow(buyer, 'free:1', 'free', 20);
  await old.addBucket(buyer, 'grant', 7);
  const pack = await old.addBucket(buyer, 'pack', 250);
  await old.chargeBoth(buyer, pack, [15, 0]);
  const held = await old.chargeBoth(buyer, pack, [5, 40]);
  const reservationId = uuidv7();
  await database.db.query(
    `INSERT INTO reservations (id, user_id, operation_id, state, expires_at, hold_seconds)
     VALUES (?, ?, ?, 'held', NOW(3) + INTERVAL 1 DAY, 86400)`,
    [reservationId, buyer, held],
  );
  // Of a period that is over.
  await database.db.query(
    `INSERT INTO windows (user_id, source_key, plan, credit_limit, used, starts_at, ends_at) VALUES (?, 'in_1', 'premium', 500, 0, ?, ?)`,
    [buyer, new Date(START.getTime() - days(31)), new Date(START.getTime() - days(1))],
  );
  return { free, buyer, pack, reservationId };
};

describe('the migration to one table', () => {
  it('keeps each bucket of each user, and what a reservation holds', async () => {
    const old = createOldRelease(database.db);
    const { free, buyer, reservationId } = await seed(old);
    const db = await migrate();
    expect(await presentBalance(db.manager, free, START)).toMatchObject({
      plan: 'free',
      used: 3,
      available: 17,
    });
    const { available, buckets, records } = await presentUserBuckets(db.manager, buyer, START);
    expect(available).toBe(7 + 210);
    expect(buckets.map(({ kind, used }) => [kind, used])).toEqual([
      ['plan', 20],
      ['grant', 0],
      ['pack', 40],
    ]);
    expect(records).toHaveLength(2);
    await db.transaction((tx) => releaseReservation(tx, { userId: buyer, reservationId }, clock));
    expect((await presentBalance(db.manager, buyer, START)).available).toBe(5 + 7 + 250);
    expect(await brokenBuckets(db)).toEqual([]);
    await db.destroy();
  });

  it('lets processes of the release before go on, beside those of this one', async () => {
    const old = createOldRelease(database.db);
    const { free, buyer, pack } = await seed(old);
    const db = await migrate();
    const charges = new Charges(db, clock, log, () => Promise.resolve());
    const { id } = await old.windowOf(free);
    expect(await old.openWindow(free, 'free:1', 'free', 20)).toBe(false);
    expect(await old.openWindow(uuidv7(), 'in_2', 'premium', 500)).toBe(true);
    expect(await old.charge(free, id)).toBe(true);
    const request = { userId: free, reason: 'email_found', operationId: uuidv7(), clientId: null } as const;
    expect(await charges.charge({ ...request, amount: 2 })).toMatchObject({ used: 6, available: 14 });
    await old.addBucket(free, 'pack', 30);
    expect(await old.leftInBuckets(free)).toBe(30);
    expect((await presentBalance(db.manager, free, START)).available).toBe(44);
    await old.chargeBoth(buyer, pack, [0, 10]);
    await db.query('UPDATE windows SET used = LAST_INSERT_ID(used - ?) WHERE id = ? AND used >= ?', [
      0,
      id,
      0,
    ]);
    expect(await presentBalance(db.manager, buyer, START)).toMatchObject({ used: 20, available: 7 + 200 });
    expect(await charges.charge({ ...request, userId: buyer, amount: 9 })).toMatchObject({ available: 198 });
    expect(await old.leftInBuckets(buyer)).toBe(198);
    expect(await brokenBuckets(db)).toEqual([]);
    for (const table of ['windows', 'buckets'])
      await db.query(`DELETE FROM ${table} WHERE user_id = ? LIMIT 500`, [buyer]);
    expect(await db.query('SELECT id FROM credit_buckets WHERE user_id = ?', [buyer])).toEqual([]);
    await db.destroy();
  });

  it('loses no charge and no pack while processes of the release before go on', async () => {
    const old = createOldRelease(database.db);
    const { free, buyer, pack } = await seed(old);
    const { id } = await old.windowOf(free);
    let [isDone, added, charged] = [false, 0, 0];
    const lane = async (act: () => Promise<unknown>): Promise<void> => {
      while (!isDone || added < 3) {
        await act();
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    };
    const newcomers: string[] = [];
    const lanes = [
      lane(async () => {
        await old.chargeBoth(buyer, pack, [0, 1]);
        charged += 1;
      }),
      lane(() => old.charge(free, id)),
      lane(async () => {
        newcomers.push(uuidv7());
        await old.addBucket(newcomers.at(-1) ?? '', 'pack', 10);
        added += 1;
      }),
    ];
    const db = await migrate();
    isDone = true;
    await Promise.all(lanes);
    const [{ used }] = await db.query<[{ used: number }]>(
      'SELECT used FROM credit_buckets WHERE source_key = ?',
      [pack],
    );
    expect(Number(used)).toBe(40 + charged);
    const rows: unknown[] = await db.query('SELECT id FROM credit_buckets WHERE user_id IN (?)', [newcomers]);
    expect(rows).toHaveLength(added);
    expect(await brokenBuckets(db)).toEqual([]);
    await db.destroy();
  });

  it('is complete however often it is interrupted, and leaves nothing of deleted users', async () => {
    const old = createOldRelease(database.db);
    const { free, buyer } = await seed(old);
    const deleted = uuidv7();
    await old.addBucket(deleted, 'pack', 10);
    await database.db.query('INSERT INTO deleted_users (user_id, deleted_at) VALUES (?, NOW(3))', [deleted]);
    const runner = database.db.createQueryRunner();
    const connection = (await runner.connect()) as { query: (...args: unknown[]) => unknown };
    /** A connection that is lost before the statement of this number, and one that sends them all. */
    const interrupted = (left: number): QueryRunner =>
      Object.create(runner, {
        connect: {
          value: () => ({
            query: (sql: string, values: unknown[], done: (error: Error | null) => void) =>
              left-- > 0 ? connection.query(sql, values, done) : done(new Error('lost')),
          }),
        },
      }) as QueryRunner;
    let statements = 0;
    while (
      await moveToOneTable(interrupted(statements)).then(
        () => false,
        (error: Error) => error.message === 'lost',
      )
    ) {
      expect(await old.leftInBuckets(buyer)).toBe(7 + 210);
      expect((await old.windowOf(free)).left).toBe(17);
      statements += 1;
    }
    await runner.release();
    expect(statements).toBeGreaterThan(4);
    const db = await migrate();
    expect((await presentBalance(db.manager, buyer, START)).available).toBe(7 + 210);
    expect(await db.query('SELECT id FROM credit_buckets WHERE user_id = ?', [deleted])).toEqual([]);
    const names = await db.query<object[]>('SHOW TABLES');
    const tables = names.flatMap((row) => Object.values(row) as string[]);
    expect(tables.filter((name) => /window|bucket/.test(name)).toSorted()).toEqual([
      'buckets',
      'credit_buckets',
      'exhausted_windows',
      'windows',
    ]);
    expect(await brokenBuckets(db)).toEqual([]);
    await db.destroy();
  });
});
