import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { connect, createDb } from '@shortlist/kit/data/db';
import { migrateDatabase } from '@shortlist/kit/migrate';
import { createLog } from '@shortlist/kit/process/log';
import { createEmptyDatabase } from '@shortlist/kit/testing/test-db';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { schema } from '../src/db.ts';

const PROGRAM = join(import.meta.dirname, '../src/operator.ts');
const silent = createLog('test', 'silent');
const [account, password] = ['rows_only', 'rows-only-password'];
let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
/** The address for an account that may change rows and no tables. */
let rowsOnly: string;

const asAdmin = async (...statements: string[]): Promise<void> => {
  const admin = createDb({ url: database.url, entities: [], migrations: [], poolSize: 1 });
  await admin.initialize();
  for (const statement of statements) await admin.query(statement);
  await admin.destroy();
};

beforeAll(async () => {
  database = await createEmptyDatabase();
  const url = new URL(database.url);
  [url.username, url.password] = [account, password];
  rowsOnly = url.href;
  await asAdmin(
    `CREATE USER ${account}@'%' IDENTIFIED BY '${password}'`,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ${url.pathname.slice(1)}.* TO ${account}@'%'`,
  );
});
afterAll(async () => {
  await asAdmin(`DROP USER ${account}@'%'`);
  await database.drop();
});

it('a migration that cannot end fails after its limit', async () => {
  const env = { DATABASE_URL: rowsOnly, LOG_LEVEL: 'silent' };
  await expect(migrateDatabase({ name: 'profile', ...schema, limitMs: 1_000 }, env)).rejects.toThrow();
});

it('after the program has run, an account that may change no tables is enough', async () => {
  const env = { ...process.env, DATABASE_URL: database.url };
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, 'migrate'], {
    env,
    timeout: 60_000,
  });
  expect(stdout).toContain('database migrated');
  const db = createDb({ url: rowsOnly, ...schema });
  await connect(db, silent, AbortSignal.timeout(20_000));
  expect(await db.query('SELECT COUNT(*) AS count FROM profiles')).toEqual([{ count: 0 }]);
  await expect(db.query('CREATE TABLE more (id INT)')).rejects.toThrow(/denied/);
  await db.destroy();
}, 90_000);
