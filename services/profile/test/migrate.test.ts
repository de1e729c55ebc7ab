import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { recordAction, redactEntries } from '@shortlist/audit/audit-log';
import { sealEntries } from '@shortlist/audit/chain';
import { connect, createDb, type Db, inTransaction } from '@shortlist/kit/data/db';
import { migrateDatabase } from '@shortlist/kit/data/migrate';
import { createLog } from '@shortlist/kit/process/log';
import { createEmptyDatabase } from '@shortlist/kit/testing/databases';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

it('a migration that does not end fails after its time limit', async () => {
  const env = { DATABASE_URL: rowsOnly, LOG_LEVEL: 'silent' };
  await expect(migrateDatabase({ name: 'profile', ...schema, limitMs: 1_000 }, env)).rejects.toThrow();
});

it('after the program has run, an account that may not change tables is enough', async () => {
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

describe('the account of the processes, with the rights that a migration gives it', () => {
  const ID = randomUUID();
  let db: Db;
  beforeAll(async () => {
    const env = { DATABASE_URL: database.url, LOG_LEVEL: 'silent', RUNTIME_ACCOUNT: account };
    await migrateDatabase({ name: 'profile', ...schema }, env);
    await migrateDatabase({ name: 'profile', ...schema }, env); // as at the next upgrade
    db = createDb({ url: rowsOnly, ...schema });
    await connect(db, silent, AbortSignal.timeout(20_000));
    const entry = { action: 'profile.update', targetId: ID, after: { name: 'Ada' } } as const;
    await inTransaction(db, (tx) =>
      recordAction(tx, { ...entry, actorId: ID, address: '192.0.2.1', clock: () => new Date() }),
    );
    expect((await sealEntries(db)).sequence).toBe(1);
  });
  afterAll(() => db.destroy());

  it.each([
    "UPDATE audit_log SET action = 'none'",
    "UPDATE audit_log SET actor_id = 'another'",
    'UPDATE audit_log SET at = NOW()',
    'DELETE FROM audit_log',
    'TRUNCATE TABLE audit_log',
    'DROP TABLE audit_log',
    'REPLACE INTO audit_log SELECT * FROM audit_log',
    "UPDATE audit_chain SET hash = ''",
    'DELETE FROM audit_chain',
    'DELETE FROM migrations',
    'CREATE TABLE more (id INT)',
  ])('is refused: %s', async (statement) => {
    await expect(db.query(statement)).rejects.toThrow(/denied/);
  });

  it('redacts a deleted user, and changes the rows of every other table', async () => {
    await inTransaction(db, (tx) => redactEntries(tx, ID));
    expect(await db.query('SELECT after_state, salt FROM audit_log')).toEqual([
      { after_state: '{"name":"(redacted)"}', salt: null },
    ]);
    const tables = await db.query<{ name: string }[]>(
      'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE()',
    );
    for (const { name } of tables.filter((table) => !/^(audit_|migrations)/.test(table.name)))
      await db.query(`DELETE FROM ${name}`);
  });
});

it('a migration refuses an address that names no account', async () => {
  const env = { DATABASE_URL: database.url, LOG_LEVEL: 'silent', RUNTIME_ACCOUNT: "x' TO root" };
  await expect(migrateDatabase({ name: 'profile', ...schema }, env)).rejects.toThrow('RUNTIME_ACCOUNT');
});
