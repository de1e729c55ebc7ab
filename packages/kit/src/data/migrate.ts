import Joi from 'joi';
import { minutes } from '@shortlist/contracts/durations';
import { type Environment, loadConfig, serverVariables } from '../process/config.ts';
import { createLog } from '../process/log.ts';
import { connect, createDb, type Db } from './db.ts';
import { selectRows, text } from './sql.ts';
import { databaseUrl } from './variables.ts';

/** What an account may do with a table, where that is less than with the others. */
export type TableRights = Readonly<Record<string, string>>;

const ROWS = 'SELECT, INSERT, UPDATE, DELETE';
const READ = 'SELECT';

type Account = { name: string; host: string };

/** The parts of `name` or `name@host`, which cannot be parameters of a statement. */
const parseAccount = (account: string): Account => {
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
const grantRights = async (db: Db, account: string, limited: TableRights): Promise<void> => {
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

type Schema = Pick<Parameters<typeof createDb>[0], 'entities' | 'migrations'>;

/** Waits so long for the database, and for a process that migrates it at the same time. */
const LIMIT_MS = minutes(10);

/** The account of a service's processes, to which a migration gives its rights; empty where it has them already. */
const runtimeAccount = Joi.string()
  .allow('')
  .default('')
  .custom((account: string) => {
    if (account !== '') parseAccount(account);
    return account;
  });

const variables = {
  DATABASE_URL: databaseUrl,
  LOG_LEVEL: serverVariables.LOG_LEVEL,
  RUNTIME_ACCOUNT: runtimeAccount,
};

type Migration = { name: string; limitMs?: number; rights?: TableRights };

/**
 * Runs the migrations of a database and ends, with an account that may change tables, so that the account of the processes need not.
 * `RUNTIME_ACCOUNT` names that account, which then gets its rights on each table.
 * Throws after ten minutes; a migration that fails is tried again until then.
 */
export const migrateDatabase = async (
  { name, limitMs = LIMIT_MS, rights = {}, ...schema }: Schema & Migration,
  env: Environment,
): Promise<void> => {
  const { DATABASE_URL: url, LOG_LEVEL: level, RUNTIME_ACCOUNT: account } = loadConfig(variables, env);
  const log = createLog(name, level);
  const db = createDb({ url, ...schema, poolSize: 2 });
  const limit = AbortSignal.timeout(limitMs);
  await connect(db, log, limit);
  try {
    if (account !== '' && !limit.aborted) await grantRights(db, account, rights);
  } finally {
    if (db.isInitialized) await db.destroy();
  }
  limit.throwIfAborted();
  log.info('database migrated');
};
