import Joi from 'joi';
import { minutes } from '@shortlist/contracts/durations';
import { type Environment, loadConfig, serverVariables } from '../process/config.ts';
import { createLog } from '../process/log.ts';
import { connect, createDb, type Db } from './db.ts';
import { selectRows, text } from './sql.ts';
import { databaseUrl } from './variables.ts';

/** The rights of a database account on tables where it has fewer than on the others. */
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
 * Grants rights table by table, then revokes the account's rights on the whole database, because rights add up. A table of a later version gets
 * its rights when that version migrates. The connection needs the rights that it grants, and GRANT OPTION.
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
  const rights: TableRights = { migrations: READ, migration_steps: READ, ...limited };
  for (const table of tables)
    await db.query(`GRANT ${rights[table.name] ?? ROWS} ON \`${table.name}\` TO ${grantee}`);
  const [{ database }] = await db.query<[{ database: string }]>('SELECT DATABASE() AS `database`');
  await db.query(`REVOKE ALL PRIVILEGES ON \`${database}\`.* FROM ${grantee}`).catch((error: unknown) => {
    if (!hasNoGrant(error)) throw error;
  });
};

type Schema = Pick<Parameters<typeof createDb>[0], 'entities' | 'migrations'>;

/** How long to wait for the database, and for another process that is migrating it. */
const LIMIT_MS = minutes(10);

/** The database account of the service's processes, to which a migration grants rights; empty if it already has them. */
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
 * Runs the migrations of a database with an account that may change tables, so that the processes' account need not. `RUNTIME_ACCOUNT` names
 * that account, which then gets its rights on each table. Retries a failed migration; throws after ten minutes.
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
