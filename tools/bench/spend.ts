import { randomUUID } from 'node:crypto';
import { createLog } from '@shortlist/kit/process/log';
import { schema } from '@shortlist/credits/db';
import { chargeCredit } from '@shortlist/credits/charges/charge-credit';
import { createWindowCache } from '@shortlist/credits/windows/current-window';
import { windowEntity } from '@shortlist/credits/windows/queries';
import type { Db } from '@shortlist/kit/data/db';
import { createPool, type Pool, type ResultSetHeader } from 'mysql2/promise';
import { DataSource, EntitySchema } from 'typeorm';
import { uuidv7 } from 'uuidv7';
import { startBenchDb } from './databases.ts';
import { line, measureInTurns, ratio, type Subject } from './rounds.ts';

const USERS = 2_000;
const LIMIT = 4_000_000_000;

type Window = { id: number; userId: string };

const seedWindows = async (db: Db): Promise<Window[]> => {
  const now = new Date();
  const ends = new Date(now.getTime() + 20 * 86_400_000);
  const rows = Array.from({ length: USERS }, () => [
    uuidv7(),
    `free:${now.toISOString()}`,
    'free',
    LIMIT,
    0,
    new Date(now.getTime() - 1000),
    ends,
  ]);
  await db.query(
    'INSERT INTO windows (user_id, source_key, plan, credit_limit, used, starts_at, ends_at) VALUES ?',
    [rows],
  );
  return db.query('SELECT id, user_id AS userId FROM windows');
};

/** Only the three statements, with the bare driver: the limit of the database itself. */
const bare = (pool: Pool, pick: (index: number) => Window): Subject => ({
  name: 'bare mysql2, three statements',
  run: async (index) => {
    const { id, userId } = pick(index);
    const connection = await pool.getConnection();
    try {
      await connection.query('START TRANSACTION');
      const now = new Date();
      const [updated] = await connection.query<ResultSetHeader>(
        'UPDATE windows SET used = LAST_INSERT_ID(used + 1) WHERE id = ? AND used < credit_limit AND starts_at <= ? AND ends_at > ?',
        [id, now, now],
      );
      await connection.query(
        'INSERT INTO ledger (user_id, window_id, operation_id, amount, reason, reference, used_after, created_at) VALUES (?, ?, ?, -1, ?, NULL, ?, ?)',
        [userId, id, randomUUID(), 'email_found', updated.insertId, now],
      );
      await connection.query(
        'INSERT INTO outbox (event_id, topic, message_key, payload, created_at) VALUES (?, ?, ?, ?, ?)',
        [uuidv7(), 'credits.events', userId, `{"padding":"${'x'.repeat(420)}"}`, now],
      );
      await connection.query('COMMIT');
    } finally {
      connection.release();
    }
  },
});

type LedgerRow = {
  id?: number;
  userId: string;
  windowId: number;
  operationId: string;
  amount: number;
  reason: string;
  usedAfter: number;
  createdAt: Date;
};
const ledgerEntity = new EntitySchema<LedgerRow>({
  name: 'bench_ledger',
  tableName: 'ledger',
  columns: {
    id: { type: 'bigint', primary: true, generated: 'increment' },
    userId: { name: 'user_id', type: 'char' },
    windowId: { name: 'window_id', type: 'bigint' },
    operationId: { name: 'operation_id', type: 'varchar' },
    amount: { type: 'int' },
    reason: { type: 'varchar' },
    usedAfter: { name: 'used_after', type: 'int' },
    createdAt: { name: 'created_at', type: 'datetime' },
  },
});

type OutboxRow = {
  id?: number;
  eventId: string;
  topic: string;
  key: string;
  payload: string;
  createdAt: Date;
};
const outboxEntity = new EntitySchema<OutboxRow>({
  name: 'bench_outbox',
  tableName: 'outbox',
  columns: {
    id: { type: 'bigint', primary: true, generated: 'increment' },
    eventId: { name: 'event_id', type: 'char' },
    topic: { type: 'varchar' },
    key: { name: 'message_key', type: 'varchar' },
    payload: { type: 'text' },
    createdAt: { name: 'created_at', type: 'datetime' },
  },
});

/** TypeORM with default settings, without the optimisations of `createDb`. */
const openPlainTypeorm = (url: string): Promise<Db> =>
  new DataSource({
    type: 'mysql',
    url,
    entities: [...schema.entities, ledgerEntity, outboxEntity],
    timezone: 'Z',
    poolSize: 32,
  }).initialize();

/** The usual way with entities: lock a row, change it, then save three entities. */
const saving = (db: Db, pick: (index: number) => Window): Subject => ({
  name: 'TypeORM lock and save()',
  run: (index) =>
    db.transaction(async (tx) => {
      const window = await tx.findOneOrFail(windowEntity, {
        where: { id: pick(index).id },
        lock: { mode: 'pessimistic_write' },
      });
      window.used += 1;
      await tx.save(windowEntity, window);
      const { id: windowId, userId, used: usedAfter } = window;
      const createdAt = new Date();
      await tx.save(ledgerEntity, {
        userId,
        windowId,
        operationId: randomUUID(),
        amount: -1,
        reason: 'email_found',
        usedAfter,
        createdAt,
      });
      await tx.save(outboxEntity, {
        eventId: uuidv7(),
        topic: 'credits.events',
        key: userId,
        payload: `{"padding":"${'x'.repeat(420)}"}`,
        createdAt,
      });
    }),
});

const charging = (db: Db, pick: (index: number) => Window): Subject => {
  const parts = {
    db,
    clock: () => new Date(),
    log: createLog('bench', 'silent'),
    catchUp: () => Promise.resolve(),
    windowCache: createWindowCache(),
  };
  return {
    name: 'credits: chargeCredit',
    run: (index) =>
      chargeCredit(parts, {
        userId: pick(index).userId,
        reason: 'email_found',
        operationId: randomUUID(),
      }),
  };
};

const measure = async (
  print: (text: string) => void,
  { title, subjects, concurrency }: { title: string; subjects: Subject[]; concurrency: number },
): Promise<void> => {
  const results = await measureInTurns(subjects, { rounds: 5, seconds: 3, concurrency });
  print(`${title}, ${concurrency} concurrent`);
  results.forEach((result) => print(`  ${line(result)}`));
  const [charge, baseline, entities] = results;
  print(
    `  chargeCredit / bare = ${ratio(charge, baseline)}   chargeCredit / save() = ${ratio(charge, entities)}`,
  );
};

/** P6 Compares a charge with its three bare statements and with save(). P7 does the same for the row of one user. */
export const benchSpend = async (print: (text: string) => void): Promise<void> => {
  const { db, url, stop } = await startBenchDb('credits', schema);
  const plain = await openPlainTypeorm(url);
  const pool = createPool({ uri: url, connectionLimit: 32, timezone: 'Z' });
  try {
    const windows = await seedWindows(db);
    const anyWindow = (index: number): Window => windows[(index * 7919) % windows.length] as Window;
    const hotWindow = (): Window => windows[0] as Window;
    for (const concurrency of [1, 8, 32]) {
      await measure(print, {
        title: 'P6 many users',
        subjects: [charging(db, anyWindow), bare(pool, anyWindow), saving(plain, anyWindow)],
        concurrency,
      });
    }
    await measure(print, {
      title: 'P7 one user',
      subjects: [charging(db, hotWindow), bare(pool, hotWindow), saving(plain, hotWindow)],
      concurrency: 32,
    });
  } finally {
    await pool.end();
    await plain.destroy();
    await stop();
  }
};
