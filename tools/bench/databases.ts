import { connect, createDb, type Db } from '@shortlist/kit/data/db';
import { createLog } from '@shortlist/kit/process/log';
import { startBacking, type Backing, type BackingOptions } from '@shortlist/local/backing';
import { createConnection } from 'mysql2/promise';

type Schema = Pick<Parameters<typeof createDb>[0], 'entities' | 'migrations'>;
export type BenchDb = { backing: Backing; db: Db; url: string; stop: () => Promise<void> };

/** Starts a database server with a migrated database; `stop` removes both. */
export const startBenchDb = async (
  name: string,
  schema: Schema,
  parts: NonNullable<BackingOptions['parts']> = ['database'],
): Promise<BenchDb> => {
  const backing = await startBacking({ parts });
  const admin = await createConnection(backing.databaseAdminUrl);
  await admin.query(`CREATE DATABASE ${name}`);
  await admin.end();
  const url = new URL(backing.databaseAdminUrl);
  url.pathname = `/${name}`;
  const db = createDb({ url: url.href, ...schema, poolSize: 32 });
  await connect(db, createLog('bench', 'silent'));
  return {
    backing,
    db,
    url: url.href,
    stop: async () => {
      await db.destroy();
      await backing.stop();
    },
  };
};
