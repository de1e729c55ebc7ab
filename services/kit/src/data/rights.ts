import type { Db } from './db.ts';
import { selectRows, text } from './sql.ts';

/** What an account may do with a table, where that is less than with the others. */
export type TableRights = Readonly<Record<string, string>>;

const ROWS = 'SELECT, INSERT, UPDATE, DELETE';
const READ = 'SELECT';

type Account = { name: string; host: string };

/** The parts of `name` or `name@host`, which cannot be parameters of a statement. */
export const parseAccount = (account: string): Account => {
  const [, name, host = '%'] = /^([\w.-]{1,32})(?:@([\w.:%-]{1,255}))?$/.exec(account) ?? [];
  if (name === undefined) throw new TypeError('an account is a name, or a name and a host: shortlist@10.0.%');
  return { name, host };
};

const hasNoGrant = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ER_NONEXISTING_GRANT';

/**
 * Gives an account its rights table by table, then takes its rights on the whole database, which would include more: rights add up. A table
 * of a later version gets its rights when that version migrates. The connection needs the rights that it gives, and GRANT OPTION.
 */
export const grantRights = async (db: Db, account: string, limited: TableRights): Promise<void> => {
  const { name, host } = parseAccount(account);
  const grantee = `'${name}'@'${host}'`;
  const tables = await selectRows(
    db,
    { name: text },
    {
      sql: `SELECT table_name AS name FROM information_schema.tables
            WHERE table_schema = DATABASE() AND table_type = 'BASE TABLE'`,
    },
  );
  const rights: TableRights = { migrations: READ, ...limited };
  for (const table of tables)
    await db.query(`GRANT ${rights[table.name] ?? ROWS} ON \`${table.name}\` TO ${grantee}`);
  const [{ database }] = await db.query<[{ database: string }]>('SELECT DATABASE() AS `database`');
  await db.query(`REVOKE ALL PRIVILEGES ON \`${database}\`.* FROM ${grantee}`).catch((error: unknown) => {
    if (!hasNoGrant(error)) throw error;
  });
};
