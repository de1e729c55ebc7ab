import type {} from '@shortlist/kit/testing/test-db';
import { startBacking } from '@shortlist/local/backing';
import type { TestProject } from 'vitest/node';

/** Starts one database server and two Redis servers for all component tests of a run. */
export default async ({ provide }: TestProject): Promise<() => Promise<void>> => {
  const backing = await startBacking({ parts: ['database', 'redis'] });
  provide('databaseAdminUrl', backing.databaseAdminUrl);
  provide('sessionsRedisUrl', backing.sessionsRedisUrl);
  provide('queueRedisUrl', backing.queueRedisUrl);
  return backing.stop;
};
