import { connect, type Db } from '../data/db.ts';
import { createLog } from '../process/log.ts';
import { createTestDb } from './test-db.ts';

type Tables = Record<string, string>;

const tablesOf = async (db: Db): Promise<Tables> => {
  const names: Record<string, string>[] = await db.query('SHOW TABLES');
  const tables: Tables = {};
  for (const name of names.flatMap((row) => Object.values(row))) {
    const [row]: Record<string, string>[] = await db.query(`SHOW CREATE TABLE ${name}`);
    tables[name] = (row?.['Create Table'] ?? '').replace(/ AUTO_INCREMENT=\d+/, '');
  }
  return tables;
};

/** The tables of a database after its migrations ran once, and after each ran a second time over the result. */
export const migrateAgain = async (
  schema: Parameters<typeof createTestDb>[0],
): Promise<{ once: Tables; again: Tables; ran: number }> => {
  const { db, drop } = await createTestDb(schema);
  const once = await tablesOf(db);
  await db.query('DELETE FROM migrations');
  await connect(db, createLog('test', 'silent'), AbortSignal.timeout(20_000));
  const ran: unknown[] = await db.query('SELECT id FROM migrations');
  const again = await tablesOf(db);
  await drop();
  return { once, again, ran: ran.length };
};
