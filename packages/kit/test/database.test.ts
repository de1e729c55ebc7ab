import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as column from '../src/data/columns.ts';
import { affectedRows, afterCommit, connect, createDb, inTransaction } from '../src/data/db.ts';
import { DB_LIMITS } from '../src/data/driver.ts';
import { defineEntity } from '../src/data/entity.ts';
import { addColumn, migration } from '../src/data/migration.ts';
import { toAppError } from '../src/http/respond.ts';
import { emit } from '../src/messaging/outbox.ts';
import {
  createEmptyDatabase,
  createOutboxAndInbox,
  createTestDb,
  listLockWaits,
  untilLockWait,
} from '../src/testing/databases.ts';
import { noted, noteOf, silent } from './notes-table.ts';

const counters = migration('CreateCounters1700000000000', [
  'CREATE TABLE IF NOT EXISTS counters (id INT PRIMARY KEY, n INT NOT NULL, at DATETIME(3) NULL) ENGINE=InnoDB',
]);
const schema = { entities: [], migrations: [createOutboxAndInbox, counters] };
const { db, url, drop } = await createTestDb(schema);
afterAll(drop);
beforeEach(async () => {
  await db.query('DELETE FROM counters');
  await db.query('INSERT INTO counters (id, n) VALUES (1, 0), (2, 0)');
});

const count = async (id = 1): Promise<number> => {
  const [row]: { n: number }[] = await db.query('SELECT n FROM counters WHERE id = ?', [id]);
  return row?.n ?? -1;
};
const bump = 'UPDATE counters SET n = n + 1 WHERE id = ?';
const createError = (code: string): Error => Object.assign(new Error(code), { code });

describe('a transaction', () => {
  it.each(['ER_LOCK_DEADLOCK', 'ER_LOCK_WAIT_TIMEOUT'])(
    'J1 runs again as a whole after %s, with one effect',
    async (code) => {
      let tries = 0;
      await inTransaction(db, async (tx) => {
        tries += 1;
        await tx.query(bump, [1]);
        if (tries < 3) throw createError(code);
      });
      expect(tries).toBe(3);
      expect(await count()).toBe(1);
    },
  );

  it('J1 fails after three attempts and leaves no effect', async () => {
    let tries = 0;
    const work = inTransaction(db, async (tx) => {
      tries += 1;
      await tx.query(bump, [1]);
      throw createError('ER_LOCK_DEADLOCK');
    });
    await expect(work).rejects.toThrow('ER_LOCK_DEADLOCK');
    expect(tries).toBe(3);
    expect(await count()).toBe(0);
  });

  it('J1 does not run again after any other error', async () => {
    let tries = 0;
    const work = inTransaction(db, async (tx) => {
      tries += 1;
      await tx.query('INSERT INTO counters (id, n) VALUES (1, 1)');
    });
    await expect(work).rejects.toThrow(/Duplicate/);
    expect(tries).toBe(1);
  });

  it('J1 two transactions that lock in opposite order both commit once', async () => {
    const both = (first: number, second: number): Promise<void> =>
      inTransaction(db, async (tx) => {
        await tx.query(bump, [first]);
        await tx.query('DO SLEEP(0.1)');
        await tx.query(bump, [second]);
      });
    await Promise.all([both(1, 2), both(2, 1)]);
    expect([await count(1), await count(2)]).toEqual([2, 2]);
  });

  it('afterCommit runs once, after the commit, although the transaction ran twice', async () => {
    const seen: string[] = [];
    let tries = 0;
    await inTransaction(db, (tx) => {
      tries += 1;
      afterCommit(tx, () => seen.push(`committed at try ${tries}`));
      return tries < 2 ? Promise.reject(createError('ER_LOCK_DEADLOCK')) : Promise.resolve();
    });
    expect(seen).toEqual(['committed at try 2']);
  });
});

describe('the pool', () => {
  const ACQUIRE_MS = 300;
  const narrow = createDb({ url, ...schema, poolSize: 1, limits: { acquireMs: ACQUIRE_MS } });
  afterAll(() => narrow.destroy());

  it('J2 with one connection is enough for a transaction', async () => {
    await connect(narrow, silent);
    await inTransaction(narrow, async (tx) => {
      await emit(tx, noted, noteOf('a'));
      expect(affectedRows(await tx.query(bump, [1]))).toBe(1);
    });
    expect(await count()).toBe(1);
  });

  it('J2 fails as unavailable when no connection becomes free', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const holding = inTransaction(narrow, () => {
      begun.resolve();
      return promise;
    });
    await begun.promise;
    const began = performance.now();
    const refused: unknown = await narrow.query('SELECT 1').catch((error: unknown) => error);
    const waited = performance.now() - began;
    expect(toAppError(refused)).toMatchObject({ code: 'service.unavailable', status: 503 });
    expect(waited).toBeGreaterThan(ACQUIRE_MS / 2);
    expect(DB_LIMITS.acquireMs).toBeLessThan(5_000); // a caller of a service waits longer
    resolve();
    await holding;
    expect(await narrow.query('SELECT 1 AS one')).toEqual([{ one: 1 }]); // and it works again: the connection that arrived late was released
  });
});

it('X12 a connection that the server closes in a transaction fails as unavailable, and the next one works', async () => {
  const cut = inTransaction(db, async (tx) => {
    await tx.query(bump, [1]);
    const [row]: { id: number }[] = await tx.query('SELECT CONNECTION_ID() AS id');
    await db.query(`KILL ${row?.id}`);
    await tx.query(bump, [1]);
  });
  const error: unknown = await cut.catch((cause: unknown) => cause);
  expect(toAppError(error)).toMatchObject({ code: 'service.unavailable' });
  await inTransaction(db, (tx) => tx.query(bump, [1]));
  expect(await count()).toBe(1);
});

describe('migrations', () => {
  const handles: ReturnType<typeof createDb>[] = [];
  const drops: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const handle of handles.splice(0)) if (handle.isInitialized) await handle.destroy();
    for (const forget of drops.splice(0)) await forget();
  });

  it('J3 run once when five replicas start at the same time', async () => {
    const empty = await createEmptyDatabase();
    drops.push(empty.drop);
    const slow = migration('CountRuns1700000000001', [
      'CREATE TABLE IF NOT EXISTS runs (id INT AUTO_INCREMENT PRIMARY KEY)',
      'DO SLEEP(0.2)',
      'INSERT INTO runs () VALUES ()',
    ]);
    const replicas = Array.from({ length: 5 }, () =>
      createDb({ url: empty.url, entities: [], migrations: [slow] }),
    );
    handles.push(...replicas);
    await Promise.all(replicas.map((replica) => connect(replica, silent)));
    expect(await replicas[0]?.query('SELECT id FROM runs')).toHaveLength(1);
  });

  it('J3 wait while another process has their lock', async () => {
    const empty = await createEmptyDatabase();
    drops.push(empty.drop);
    const other = createDb({ url: empty.url, entities: [], migrations: [], poolSize: 1 });
    const waiting = createDb({ url: empty.url, entities: [], migrations: [counters] });
    handles.push(other, waiting);
    await other.initialize();
    const [row] = await other.query<{ acquired: number }[]>(
      "SELECT GET_LOCK(CONCAT('migrate:', DATABASE()), 0) AS acquired",
    );
    expect(row?.acquired).toBe(1);
    const warnings: unknown[] = [];
    const log = { ...silent, warn: (entry: unknown) => void warnings.push(entry) } as typeof silent;
    await connect(waiting, log, AbortSignal.timeout(4_000)); // longer than one attempt to take the lock
    expect(await other.query('SHOW TABLES')).toEqual([]);
    expect(String((warnings[0] as { err: Error }).err)).toContain(
      'another process is migrating the database',
    );
    await other.destroy(); // as when the other process dies
    await connect(waiting, silent);
    expect(await waiting.query('SHOW TABLES')).toHaveLength(2);
  });

  it('J3 are the only source of tables: an entity creates none', async () => {
    const empty = await createEmptyDatabase();
    drops.push(empty.drop);
    const entity = defineEntity('stray', 'strays', { id: { ...column.int, primary: true } });
    const handle = createDb({ url: empty.url, entities: [entity], migrations: [createOutboxAndInbox] });
    handles.push(handle);
    await connect(handle, silent);
    const tables: Record<string, string>[] = await handle.query('SHOW TABLES');
    expect(tables.flatMap((row) => Object.values(row)).toSorted()).toEqual(['inbox', 'migrations', 'outbox']);
  });

  it('J3 that were interrupted are completed at the next start', async () => {
    const empty = await createEmptyDatabase();
    drops.push(empty.drop);
    const statements = [
      'CREATE TABLE IF NOT EXISTS halves (id INT)',
      addColumn('halves', 'size', 'INT NOT NULL DEFAULT 2'),
    ];
    const half = migration('Half1700000000002', [...statements, 'THIS IS NO SQL']);
    const complete = migration('Half1700000000002', [...statements, 'INSERT INTO halves (id) VALUES (1)']);
    const first = createDb({ url: empty.url, entities: [], migrations: [half] });
    const whole = createDb({ url: empty.url, entities: [], migrations: [complete] });
    handles.push(first, whole);
    const giveUp = new AbortController();
    setTimeout(() => giveUp.abort(), 500);
    await connect(first, silent, giveUp.signal);
    await connect(whole, silent);
    expect(await whole.query('SELECT * FROM halves')).toEqual([{ id: 1, size: 2 }]);
  });
});

describe('times', () => {
  const zone = process.env.TZ;
  afterEach(async () => {
    process.env.TZ = zone ?? '';
    await db.query("SET GLOBAL time_zone = '+00:00'");
  });

  it.each(['America/Recife', 'Asia/Kolkata', 'UTC'])(
    'J5 are the same instants with the server in another time zone and the process in %s',
    async (name) => {
      await db.query("SET GLOBAL time_zone = '+05:00'"); // every session sets its own time zone
      process.env.TZ = name;
      const other = createDb({ url, ...schema });
      await connect(other, silent);
      const at = new Date('2026-03-29T01:30:00.123Z');
      await other.query('UPDATE counters SET at = ? WHERE id = 1', [at]);
      const [row]: { at: Date; text: string; now: Date }[] = await other.query(
        "SELECT at, DATE_FORMAT(at, '%Y-%m-%d %H:%i:%s.%f') AS text, NOW(3) AS now FROM counters WHERE id = 1",
      );
      expect(row?.at.toISOString()).toBe(at.toISOString());
      expect(row?.text).toBe('2026-03-29 01:30:00.123000');
      expect(Math.abs((row?.now.getTime() ?? 0) - Date.now())).toBeLessThan(60_000);
      await other.destroy();
    },
  );

  it('H10 every connection uses READ COMMITTED and strict mode', async () => {
    const requests = Array.from({ length: 5 }, () =>
      inTransaction(db, async (tx) => {
        const [mode] = await tx.query<{ mode: string }[]>('SELECT @@session.sql_mode AS mode, SLEEP(0.05)');
        // MySQL and MariaDB name this variable differently.
        const sql = "SHOW SESSION VARIABLES WHERE Variable_name IN ('tx_isolation', 'transaction_isolation')";
        const levels = await tx.query<{ Value: string }[]>(sql);
        return { mode: mode?.mode, levels: levels.map(({ Value }) => Value) };
      }),
    );
    for (const { mode, levels } of await Promise.all(requests)) {
      expect(new Set(levels)).toEqual(new Set(['READ-COMMITTED']));
      expect(mode).toContain('STRICT_ALL_TABLES');
    }
  });
});

it('a test finds a statement that waits for a lock, even beside one with a character beyond utf8mb3', async () => {
  const running = db.query("SELECT SLEEP(1), '😀'");
  const underWay: { waiting?: Promise<unknown> } = {};
  await inTransaction(db, async (tx) => {
    await tx.query(bump, [1]);
    underWay.waiting = db.query(bump, [1]);
    await untilLockWait(db, /^UPDATE counters/);
    expect(await listLockWaits(db)).toEqual(['UPDATE counters SET n = n + 1 WHERE id = 1']);
  });
  await Promise.all([running, underWay.waiting]);
  expect(await count()).toBe(2);
});
