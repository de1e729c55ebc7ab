import type {} from '@shortlist/kit/testing/test-db';
import { startBacking } from '@shortlist/local/backing';
import type { TestProject } from 'vitest/node';
import { findMysql } from './mysql.ts';

/** Starts one database server (MariaDB, or MySQL with DB=mysql) and two Redis servers for all component tests of a run. */
export default async ({ provide }: TestProject): Promise<() => Promise<void>> => {
  const mysqlUrl = process.env['DB'] === 'mysql' ? await findMysql(process.env) : null;
  const backing = await startBacking({ parts: mysqlUrl === null ? ['database', 'redis'] : ['redis'] });
  provide('databaseAdminUrl', mysqlUrl ?? backing.databaseAdminUrl);
  provide('sessionsRedisUrl', backing.sessionsRedisUrl);
  provide('queueRedisUrl', backing.queueRedisUrl);
  return backing.stop;
};
