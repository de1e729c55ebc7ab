import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { connect, createDb, type Db } from '../data/db.ts';
import { checkRowShapes } from '../data/sql.ts';
import { createLog } from '../process/log.ts';

declare module 'vitest' {
  /** Addresses of the servers that are started once for a test run. */
  interface ProvidedContext {
    databaseAdminUrl: string;
    sessionsRedisUrl: string;
    queueRedisUrl: string;
  }
}

type Schema = Pick<Parameters<typeof createDb>[0], 'entities' | 'migrations' | 'poolSize'>;
export type TestDb = { db: Db; url: string; drop: () => Promise<void> };

const asAdmin = async (statement: string): Promise<void> => {
  const admin = createDb({ url: inject('databaseAdminUrl'), entities: [], migrations: [], poolSize: 1 });
  await admin.initialize();
  await admin.query(statement);
  await admin.destroy();
};

/** Creates an empty database with a random name. */
export const createEmptyDatabase = async (): Promise<Omit<TestDb, 'db'>> => {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asAdmin(`CREATE DATABASE ${name} CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci`);
  const url = new URL(inject('databaseAdminUrl'));
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => asAdmin(`DROP DATABASE ${name}`) };
};

/** Creates a migrated database for one test file; `drop` it afterwards. */
export const createTestDb = async (schema: Schema): Promise<TestDb> => {
  checkRowShapes();
  const { url, drop } = await createEmptyDatabase();
  const db = createDb({ url, ...schema });
  await connect(db, createLog('test', 'silent'));
  return {
    db,
    url,
    drop: async () => {
      if (db.isInitialized) await db.destroy();
      await drop();
    },
  };
};
