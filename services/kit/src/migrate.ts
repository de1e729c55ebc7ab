import { connect, createDb } from './data/db.ts';
import { databaseUrl } from './data/variables.ts';
import { type Environment, loadConfig, serverVariables } from './process/config.ts';
import { createLog } from './process/log.ts';

type Schema = Pick<Parameters<typeof createDb>[0], 'entities' | 'migrations'>;
type Config = { DATABASE_URL: string; LOG_LEVEL: string };

/** Waits so long for the database, and for a process that migrates it at the same time. */
const LIMIT_MS = 10 * 60_000;

/**
 * Runs the migrations of a database and ends, with an account that may change tables, so that the account of the processes need not.
 * Throws after ten minutes; a migration that fails is tried again until then.
 */
export const migrateDatabase = async (
  { name, limitMs = LIMIT_MS, ...schema }: Schema & { name: string; limitMs?: number },
  env: Environment,
): Promise<void> => {
  const variables = { DATABASE_URL: databaseUrl, LOG_LEVEL: serverVariables.LOG_LEVEL };
  const { DATABASE_URL: url, LOG_LEVEL: level } = loadConfig<Config>(variables, env);
  const log = createLog(name, level);
  const db = createDb({ url, ...schema, poolSize: 2 });
  const limit = AbortSignal.timeout(limitMs);
  await connect(db, log, limit);
  if (db.isInitialized) await db.destroy();
  limit.throwIfAborted();
  log.info('database migrated');
};
