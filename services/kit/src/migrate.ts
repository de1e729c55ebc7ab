import { connect, createDb } from './data/db.ts';
import { grantRights, type TableRights } from './data/rights.ts';
import { databaseUrl, runtimeAccount } from './data/variables.ts';
import { type Environment, loadConfig, serverVariables } from './process/config.ts';
import { createLog } from './process/log.ts';

type Schema = Pick<Parameters<typeof createDb>[0], 'entities' | 'migrations'>;
type Config = { DATABASE_URL: string; LOG_LEVEL: string; RUNTIME_ACCOUNT: string };

/** Waits so long for the database, and for a process that migrates it at the same time. */
const LIMIT_MS = 10 * 60_000;

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
  const {
    DATABASE_URL: url,
    LOG_LEVEL: level,
    RUNTIME_ACCOUNT: account,
  } = loadConfig<Config>(variables, env);
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
