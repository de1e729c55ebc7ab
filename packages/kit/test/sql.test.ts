import { afterAll, describe, expect, it } from 'vitest';
import { migration } from '../src/data/migration.ts';
import {
  change,
  estimateRows,
  flag,
  instant,
  integer,
  nullable,
  oneOf,
  selectRow,
  selectRows,
  sql as statement,
  text,
} from '../src/data/sql.ts';
import { createTestDb } from '../src/testing/databases.ts';

// InnoDB recalculates statistics in the background, even from rows before an ANALYZE that has just ended. This table is analyzed only on demand.
const createColours = migration('CreateColours1763600000000', [
  `CREATE TABLE colours (
     id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, name VARCHAR(20) NOT NULL, kind ENUM('warm', 'cold') NOT NULL,
     mixed BOOLEAN NOT NULL, seen_at DATETIME(3) NULL) ENGINE=InnoDB STATS_AUTO_RECALC=0`,
]);
const { db, drop } = await createTestDb({ entities: [], migrations: [createColours] });
afterAll(drop);

const shape = { name: text, kind: oneOf('warm', 'cold'), mixed: flag, seenAt: nullable(instant) };
const SELECT = 'SELECT name, kind, mixed, seen_at AS seenAt FROM colours ORDER BY id';
const seenAt = new Date('2026-01-02T03:04:05.678Z');

describe('raw statements', () => {
  it('have the values of a template as parameters, also those of a part of it and those of a list', () => {
    const part = statement`AND kind = ${'warm'}`;
    const { sql, values } =
      statement`SELECT id FROM colours WHERE id IN (${[1, 2]}) ${part} ${statement``}LIMIT ${3}`;
    expect(sql).toBe('SELECT id FROM colours WHERE id IN (?) AND kind = ? LIMIT ?');
    expect(values).toEqual([[1, 2], 'warm', 3]);
  });

  it('return rows of the stated types, and how many rows they changed', async () => {
    const sql = 'INSERT INTO colours (name, kind, mixed, seen_at) VALUES ?';
    const rows = [
      ['red', 'warm', false, null],
      ['teal', 'cold', true, seenAt],
    ];
    expect(await change(db.manager, { sql, values: [rows] })).toMatchObject({ affectedRows: 2, insertId: 1 });
    expect(await selectRows(db.manager, shape, { sql: SELECT })).toEqual([
      { name: 'red', kind: 'warm', mixed: 0, seenAt: null },
      { name: 'teal', kind: 'cold', mixed: 1, seenAt },
    ]);
    expect(
      await selectRow(db.manager, { id: integer }, { sql: 'SELECT id FROM colours WHERE id = 9' }),
    ).toBeNull();
  });

  it('are estimated in rows, alone and with others, on either server', async () => {
    const names = Array.from({ length: 200 }, (_, index) => [`colour ${index}`, 'warm', false]);
    await change(db.manager, { sql: 'INSERT INTO colours (name, kind, mixed) VALUES ?', values: [names] });
    await db.query('ANALYZE TABLE colours');
    const range = { sql: 'SELECT id FROM colours FORCE INDEX (PRIMARY) WHERE id > ?', values: [0] };
    const none = { ...range, values: [1_000_000] };
    expect((await estimateRows(db.manager, [range]))[0]).toBeGreaterThan(100);
    const [few = 0, many = 0] = await estimateRows(db.manager, [none, range]);
    expect(few).toBeLessThanOrEqual(1);
    expect(many).toBeGreaterThan(100);
  });

  it.each([
    ['a column of another type', { ...shape, name: integer }, SELECT],
    ['a null where none is stated', { ...shape, seenAt: instant }, SELECT],
    ['a value outside the stated list', { ...shape, kind: oneOf('warm') }, SELECT],
    ['a missing column', { ...shape, other: text }, SELECT],
    ['a column that is not stated', { name: text }, SELECT],
    ['a statement that returns no rows', shape, 'UPDATE colours SET mixed = 1'],
  ])('fail a test that declares %s', async (_title, stated, sql) => {
    await expect(selectRows(db.manager, stated, { sql })).rejects.toThrow(TypeError);
  });
});
