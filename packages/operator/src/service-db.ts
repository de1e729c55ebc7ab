import { connect, createDb, type Db } from '@shortlist/kit/data/db';
import { createLog } from '@shortlist/kit/process/log';

/** The tables of a service's database. */
export type Schema = Omit<Parameters<typeof createDb>[0], 'url' | 'poolSize'>;

const CONNECT_MS = 20_000;
/** One connection for a transaction, and one besides. */
const POOL_SIZE = 2;

/** Runs `work` with the database of a service. Throws if the database cannot be reached within 20 seconds. */
export const withServiceDb = async <T>(
  { url, schema }: { url: string; schema: Schema },
  work: (db: Db) => Promise<T>,
): Promise<T> => {
  const db = createDb({ url, ...schema, poolSize: POOL_SIZE });
  const limit = AbortSignal.timeout(CONNECT_MS);
  await connect(db, createLog('operator', 'silent'), limit);
  if (limit.aborted) throw new Error('the database cannot be reached, or not migrated');
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
};
