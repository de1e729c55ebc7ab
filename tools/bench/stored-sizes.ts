// The size of a row of each table and of a session. The rows are those that real users cause, and copies of them with keys of their own,
// since a table of a few pages says nothing about a large one.
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSessions } from '@shortlist/bff/session/sessions';
import { createRedis } from '@shortlist/kit/data/redis';
import { type System, WITHOUT_LIMITS } from '@shortlist/local/system';
import { createConnection, type Connection } from 'mysql2/promise';
import { uuidv7 } from 'uuidv7';
import { callApi, openCheckout, payCheckout, register } from '../../harness/client.ts';
import { select } from '../../harness/database.ts';
import { seedDatabases } from '../../harness/seed-databases.ts';
import { isSaving, savePart } from '../capacity/measured.ts';
import { accepted, prepareEverydayActions } from './everyday-actions.ts';
import type { Print } from './measure.ts';
import { clock, log, withSystem } from './surroundings.ts';
import { DATABASES } from './work-counters.ts';

const USERS = Number(process.env.USERS ?? 20_000);
/** Rows of each table that has any. */
const ROWS = Number(process.env.ROWS ?? 40_000);
const SESSIONS = 20_000;
const PAYERS = 10;
const EFFECTS_MS = 5_000;

/** Lets users do what fills the tables: sign up, log in, charge credits, pay, and cancel. */
const causeRows = async (system: System): Promise<void> => {
  const { 'log-in': logIn, 'sign-up': signUp, charge } = await prepareEverydayActions(system);
  for (let index = 0; index < 20; index += 1) await Promise.all([logIn(index), signUp(index), charge(index)]);
  for (let index = 0; index < PAYERS; index += 1) {
    const user = await register(system);
    const { token } = user;
    const xsl = await payCheckout(system, await openCheckout(system, user));
    await accepted(callApi(`${system.publicUrl}/user-payment`, 'PUT', { token, body: { xsl } }));
    const cancel = `${system.publicUrl}/api/subscription/cancel`;
    await accepted(callApi(cancel, 'POST', { token, body: { when: 'period_end' } }));
  }
  await sleep(EFFECTS_MS);
};

type Column = { name: string; type: string; length: number | null; extra: string; isUnique: number };

const COLUMNS = `SELECT c.column_name AS name, c.data_type AS type, c.character_maximum_length AS length, c.extra AS extra,
    EXISTS (SELECT 1 FROM information_schema.statistics s WHERE s.table_schema = c.table_schema AND s.table_name = c.table_name
      AND s.column_name = c.column_name AND s.non_unique = 0) AS isUnique
  FROM information_schema.columns c WHERE c.table_schema = ? AND c.table_name = ? ORDER BY c.ordinal_position`;

const USER_COLUMNS = ['user_id', 'account_id', 'message_key'];

/** The id of user number `index`: ids begin with their time, so those of later users are greater. */
const userIdAt = (index: string): string =>
  `CONCAT('01', LPAD(HEX(${index}), 6, '0'), '-0000-7000-8000-000000000000')`;

/**
 * The value of a column in copy number `n`. Ids ascend, as those of the product do; other keys, such as Stripe's, are in no order, and users
 * come at random.
 */
const valueOf = ({ name, type, length, isUnique }: Column, isOnePerUser: boolean): string => {
  if (USER_COLUMNS.includes(name)) return userIdAt(isOnePerUser ? 'n' : `FLOOR(RAND() * ${USERS})`);
  if (isUnique === 0) return `template.${name}`;
  if (type === 'char' && length === 36) return `CONCAT('01', LPAD(HEX(n), 6, '0'), SUBSTRING(UUID(), 9))`;
  if (/char|text/.test(type)) {
    const template = `CONVERT(template.${name} USING utf8mb4)`; // in one character set with the hash
    // Short texts, such as the name of a consumer, are only a part of a key.
    return `IF(CHAR_LENGTH(${template}) < 20, ${template},
      CONCAT(LEFT(MD5(CONCAT('${name}', n)), 16), SUBSTRING(${template}, 17)))`;
  }
  return /int/.test(type) ? 'n' : `template.${name}`;
};

/** Copies rows of a table until it has ROWS, or as many as its keys allow. Does nothing when the table has none. */
const copyRows = async (db: Connection, database: string, table: string): Promise<void> => {
  const [found] = await select<{ count: number }>(db, `SELECT COUNT(*) AS count FROM ${database}.${table}`);
  const missing = ROWS - (found?.count ?? 0);
  if (found === undefined || found.count === 0 || missing <= 0) return;
  const columns = (await select<Column>(db, COLUMNS, [database, table])).filter(
    ({ extra }) => !/auto_increment|GENERATED/.test(extra),
  );
  const keys = columns.filter(({ isUnique }) => isUnique === 1);
  const isOnePerUser = keys.length > 0 && keys.every(({ name }) => USER_COLUMNS.includes(name));
  const names = columns.map(({ name }) => name).join(', ');
  const values = columns.map((column) => valueOf(column, isOnePerUser)).join(', ');
  // Templates take turns, so that a copied table has short and long rows as the original has.
  await db.query(
    `INSERT IGNORE INTO ${database}.${table} (${names})
     SELECT ${values} FROM (SELECT seq AS n FROM seq_1_to_${missing}) AS numbers
     JOIN (SELECT original.*, ROW_NUMBER() OVER () - 1 AS turn FROM ${database}.${table} AS original LIMIT 200) AS template
       ON template.turn = numbers.n % ${Math.min(200, found.count)}
     ORDER BY n`,
  );
};

type Size = { name: string; bytes: string; count: number };

/** Returns the bytes of a row, data and indexes, of each table with enough rows. */
const measureRows = async (db: Connection, tables: readonly string[]): Promise<Record<string, number>> => {
  await db.query(`ANALYZE TABLE ${tables.join(', ')}`);
  const sizes: Record<string, number> = {};
  for (const table of tables) {
    const [database = '', name = ''] = table.split('.');
    const [size] = await select<Size>(
      db,
      `SELECT table_name AS name, data_length + index_length AS bytes, (SELECT COUNT(*) FROM ${table}) AS count
       FROM information_schema.tables WHERE table_schema = ? AND table_name = ?`,
      [database, name],
    );
    if (size !== undefined && size.count >= ROWS / 4)
      sizes[table] = Math.round(Number(size.bytes) / size.count);
  }
  return sizes;
};

const measureTables = async ({ backing }: System, print: Print): Promise<Record<string, number>> => {
  const adminUrl = backing.databaseAdminUrl;
  await seedDatabases({ adminUrl, count: USERS, now: clock(), print });
  const db = await createConnection({ uri: adminUrl, timezone: 'Z' });
  try {
    await db.query('SET SESSION foreign_key_checks = 0');
    await db.query('USE worker'); // a sequence needs a current database
    const tables = await select<{ database: string; name: string }>(
      db,
      `SELECT table_schema AS \`database\`, table_name AS name FROM information_schema.tables
       WHERE table_schema IN (?) AND table_type = 'BASE TABLE' AND table_name <> 'migrations' ORDER BY 1, 2`,
      [[...DATABASES]],
    );
    for (const { database, name } of tables) await copyRows(db, database, name);
    return await measureRows(
      db,
      tables.map(({ database, name }) => `${database}.${name}`),
    );
  } finally {
    await db.end();
  }
};

/** Returns what Redis takes for a session of a user, in bytes. */
const measureSession = async ({ backing }: System): Promise<number> => {
  const redis = createRedis(backing.sessionsRedisUrl, log);
  await once(redis, 'ready');
  const usedBytes = async (): Promise<number> =>
    Number(/used_memory:(\d+)/.exec(await redis.info('memory'))?.[1]);
  const sessions = createSessions(redis, clock);
  const details = {
    browser: 'Chrome 142',
    system: 'Windows',
    network: '203.0.113.0/24',
    place: 'Lagos, Nigeria',
  };
  const before = await usedBytes();
  for (let begun = 0; begun < SESSIONS; begun += 100)
    await Promise.all(
      Array.from({ length: 100 }, () =>
        sessions.begin({ userId: uuidv7(), role: 'user', generation: 0 }, details),
      ),
    );
  const after = await usedBytes();
  redis.disconnect();
  return Math.round((after - before) / SESSIONS);
};

/** Measures the bytes of a row of each table and of a session. USERS and ROWS can be set; SAVE=yes writes them for `make capacity`. */
export const benchStoredSizes = (print: Print): Promise<void> =>
  withSystem({ bff: WITHOUT_LIMITS }, async (system) => {
    await causeRows(system);
    const sessionBytes = await measureSession(system);
    // Nothing may publish, send or delete the copies meanwhile.
    for (const name of ['bff', 'worker', 'credits', 'billing', 'profile', 'identity'] as const)
      await system.process(name).stop();
    const bytesPerRow = await measureTables(system, print);
    for (const [table, bytes] of Object.entries(bytesPerRow)) print(`${table.padEnd(34)} ${bytes} bytes`);
    print(`${'a session in Redis'.padEnd(34)} ${sessionBytes} bytes`);
    if (isSaving) await savePart('sizes', 'SAVE=yes make bench b=sizes', { bytesPerRow, sessionBytes });
  });
