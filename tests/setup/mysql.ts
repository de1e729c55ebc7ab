import { createConnection } from 'mysql2/promise';
import type { TestProject } from 'vitest/node';
import { provideServers } from './backing.ts';

/** Nothing in this server outlives the tests, so it need not flush. */
const WITHOUT_FLUSH = [
  'SET GLOBAL innodb_flush_log_at_trx_commit = 0',
  'SET GLOBAL sync_binlog = 0',
  'SET GLOBAL max_connections = 600',
  'ALTER INSTANCE DISABLE INNODB REDO_LOG',
];

/** Uses the MySQL server at MYSQL_URL, an administrator's address. The server must be disposable. */
export default async (project: TestProject): Promise<() => Promise<void>> => {
  const url = process.env['MYSQL_URL'] ?? '';
  const connection = await createConnection(url);
  for (const statement of WITHOUT_FLUSH) await connection.query(statement);
  await connection.end();
  return provideServers(project, url);
};
