// Before a restore replaces a database, its tables move to another database of the same server, which takes moments and no space. They move
// back when the restore fails.
import type { DatabaseServer } from './database-server.ts';
import { compactInstant, type Service, SERVICES } from './manifest.ts';

const tablesOf = async ({ runSql }: DatabaseServer, database: string): Promise<string[]> => {
  const rows = await runSql(
    `SELECT table_name FROM information_schema.tables WHERE table_schema = '${database}' AND table_type = 'BASE TABLE'`,
  );
  return rows.map(([name = '']) => name);
};

/** The statements that create the views of a database. */
const viewsOf = async ({ runSql }: DatabaseServer, database: string): Promise<string[]> => {
  const views = await runSql(
    `SELECT table_name FROM information_schema.views WHERE table_schema = '${database}'`,
  );
  const statements: string[] = [];
  for (const [name = ''] of views) {
    const [[, statement = ''] = []] = await runSql(`SHOW CREATE VIEW \`${database}\`.\`${name}\``);
    statements.push(statement.replace(/^CREATE /, 'CREATE OR REPLACE '));
  }
  return statements;
};

/** Returns which of these databases have tables. */
export const listUsed = async (server: DatabaseServer, services: readonly Service[]): Promise<Service[]> => {
  const used: Service[] = [];
  for (const service of services) if ((await tablesOf(server, service)).length > 0) used.push(service);
  return used;
};

/** Throws while a client other than this program uses one of these databases. */
export const requireUnused = async (
  { runSql }: DatabaseServer,
  services: readonly Service[],
): Promise<void> => {
  const names = services.map((service) => `'${service}'`).join(', ');
  const users = await runSql(
    `SELECT db, COUNT(*) FROM information_schema.processlist WHERE db IN (${names}) AND id <> CONNECTION_ID() GROUP BY db`,
  );
  if (users.length > 0)
    throw new Error(
      `The databases are in use (${users.map(([name, count]) => `${name}: ${count} connections`).join(', ')}): stop the product first.`,
    );
};

/** The name of the database that keeps the state before a restore. */
const previousName = (service: Service, at: Date): string => `${service}_before_${compactInstant(at)}`;

const WITHOUT_KEYS = 'SET SESSION foreign_key_checks = 0; SET SESSION sql_log_bin = 0;';

const moveTables = async (server: DatabaseServer, from: string, to: string): Promise<void> => {
  const tables = await tablesOf(server, from);
  if (tables.length === 0) return;
  const moves = tables.map((table) => `\`${from}\`.\`${table}\` TO \`${to}\`.\`${table}\``);
  await server.runSql(`${WITHOUT_KEYS} RENAME TABLE ${moves.join(', ')};`);
};

const dropTables = async (server: DatabaseServer, database: string): Promise<void> => {
  const tables = await tablesOf(server, database);
  const drops = tables.map((table) => `DROP TABLE \`${database}\`.\`${table}\`;`);
  if (drops.length > 0) await server.runSql(`${WITHOUT_KEYS} ${drops.join(' ')}`);
};

export type PreviousState = {
  /** The databases that keep it. */
  names: string[];
  /** Puts it back in place of what was restored. */
  putBack: () => Promise<void>;
};

/** Moves the tables of these databases aside. */
export const movePreviousState = async (
  server: DatabaseServer,
  services: readonly Service[],
  now: Date,
): Promise<PreviousState> => {
  const moved: { service: Service; views: string[] }[] = [];
  const putBack = async (): Promise<void> => {
    for (const { service, views } of moved) {
      await dropTables(server, service);
      await moveTables(server, previousName(service, now), service);
      for (const view of views)
        await server.runSql(`SET SESSION sql_log_bin = 0; USE \`${service}\`; ${view};`);
      await server.runSql(`SET SESSION sql_log_bin = 0; DROP DATABASE \`${previousName(service, now)}\`;`);
    }
  };
  try {
    for (const service of services) {
      const views = await viewsOf(server, service);
      const name = previousName(service, now);
      await server.runSql(`SET SESSION sql_log_bin = 0; CREATE DATABASE \`${name}\` CHARACTER SET utf8mb4;`);
      moved.push({ service, views });
      await moveTables(server, service, name);
    }
  } catch (error) {
    await putBack();
    throw error;
  }
  return { names: moved.map(({ service }) => previousName(service, now)), putBack };
};

/** Marks a server whose databases a verification may drop. */
const SCRATCH = 'shortlist_scratch';

/**
 * Empties a scratch server. Throws for a server that has a database of the product and was not empty when a verification first used it.
 */
export const emptyScratchServer = async (server: DatabaseServer): Promise<void> => {
  const used = await listUsed(server, SERVICES);
  const [mark] = await server.runSql(`SHOW DATABASES LIKE '${SCRATCH}'`);
  if (used.length > 0 && mark === undefined)
    throw new Error(
      `The scratch server has databases of the product (${used.join(', ')}): use an empty one.`,
    );
  const drops = SERVICES.map((service) => `DROP DATABASE IF EXISTS \`${service}\`;`);
  await server.runSql(`CREATE DATABASE IF NOT EXISTS \`${SCRATCH}\`; ${drops.join(' ')}`);
};
