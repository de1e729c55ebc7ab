import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { inTransaction } from '../src/data/db.ts';
import { migration } from '../src/data/migration.ts';
import { isUnavailable } from '../src/process/errors.ts';
import { armFailPoints, firedFile } from '../src/testing/arm-fail-points.ts';
import { createTestDb } from '../src/testing/databases.ts';

const notes = migration('CreateNotes1700000000000', [
  'CREATE TABLE IF NOT EXISTS notes (text VARCHAR(50) NOT NULL)',
]);
const { db, drop } = await createTestDb({ entities: [], migrations: [notes] });
let directory: string;
let switchFile: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fail-point-'));
  switchFile = join(directory, 'switch');
  armFailPoints({ points: 'transaction.response_lost=1', seed: 1, switchFile });
});
beforeEach(() => db.query('DELETE FROM notes'));
afterEach(() => rm(switchFile, { force: true }));
afterAll(async () => {
  await rm(directory, { recursive: true });
  await drop();
});

const write = (text: string): Promise<unknown> =>
  inTransaction(db, (tx) => tx.query('INSERT INTO notes (text) VALUES (?)', [text]));

it('X2 a connection lost after COMMIT looks like an unavailable database, and the change is stored', async () => {
  await writeFile(switchFile, '');
  const error: unknown = await write('a').catch((cause: unknown) => cause);
  expect(isUnavailable(error)).toBe(true);
  expect(await db.query('SELECT text FROM notes')).toEqual([{ text: 'a' }]);
  expect(await readFile(firedFile(switchFile), 'utf8')).toBe('transaction.response_lost\n');
});

it('a fail point fires only while the switch file exists', async () => {
  await write('b');
  expect(await db.query('SELECT text FROM notes')).toEqual([{ text: 'b' }]);
});
