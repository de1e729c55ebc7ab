import { fork } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect, createDb, type Db } from '../src/data/db.ts';
import { createLog } from '../src/process/log.ts';
import { createEmptyDatabase } from '../src/testing/databases.ts';
import { until } from '../src/testing/until.ts';
import { schema } from './stepped-migration.ts';

const ROWS = 20_000;
/** Rows of one owner, so that a step of ten rows ends among them. */
const ROWS_EACH = 7;

let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let db: Db;
beforeAll(async () => {
  database = await createEmptyDatabase();
  db = createDb({ url: database.url, ...schema });
  await db.initialize();
  await db.query(`CREATE TABLE items (owner VARCHAR(10) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, id INT NOT NULL, changes INT NOT NULL DEFAULT 0,
    PRIMARY KEY (owner, id)) ENGINE=InnoDB`);
  const rows = Array.from({ length: ROWS }, (_, id) => [`o${Math.floor(id / ROWS_EACH)}`, id]);
  await db.query('INSERT INTO items (owner, id) VALUES ?', [rows]);
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

const seenRows = async (): Promise<number> => {
  const [table] = await db.query<object[]>("SHOW TABLES LIKE 'migration_steps'");
  if (table === undefined) return 0;
  const [row] = await db.query<{ seen: string }[]>('SELECT rows_seen AS seen FROM migration_steps');
  return Number(row?.seen ?? 0);
};

it('a change in steps that was killed three times goes on where it was, and changes each row once', async () => {
  for (let death = 1; death <= 3; death += 1) {
    const before = await seenRows();
    const migrating = fork(`${import.meta.dirname}/migrate-in-steps.ts`, [database.url]);
    const ended = once(migrating, 'exit');
    await until('some steps', async () => (await seenRows()) > before + 100);
    migrating.kill('SIGKILL');
    await ended;
    const seen = await seenRows();
    expect(seen).toBeGreaterThanOrEqual(before);
    expect(seen).toBeLessThan(ROWS);
  }
  const lines: { msg: string; rows?: number }[] = [];
  const write = (line: string): void => void lines.push(JSON.parse(line) as (typeof lines)[number]);
  await connect(db, createLog('test', 'info', { destination: { write } }), AbortSignal.timeout(60_000));
  const counts = 'SELECT changes, COUNT(*) AS count FROM items GROUP BY changes';
  expect(await db.query(counts)).toEqual([{ changes: 1, count: ROWS }]);
  // The last line has the number of rows; the end of the change no owner.
  expect(lines.at(-1)).toMatchObject({ msg: 'rows migrated', rows: await seenRows() });
  expect(await db.query('SELECT position, is_done FROM migration_steps')).toEqual([
    { position: null, is_done: 1 },
  ]);
});

it('a change in steps that is done does nothing when its migration runs again', async () => {
  await db.query('DELETE FROM migrations');
  await connect(db, createLog('test', 'silent'), AbortSignal.timeout(20_000));
  expect(await db.query('SELECT 1 FROM items WHERE changes <> 1')).toEqual([]);
});
