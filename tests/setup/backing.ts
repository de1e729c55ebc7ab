import type {} from '@shortlist/kit/testing/databases';
import { startBacking } from '@shortlist/local/backing';
import type { TestProject } from 'vitest/node';

/** Starts two Redis servers, and MariaDB unless the address of another database server is given, for all tests of a project. */
export const provideServers = async (
  { provide }: TestProject,
  databaseAdminUrl?: string,
): Promise<() => Promise<void>> => {
  const backing = await startBacking({
    parts: databaseAdminUrl ? ['redis'] : ['database', 'redis'],
    inMemory: true,
  });
  provide('databaseAdminUrl', databaseAdminUrl ?? backing.databaseAdminUrl);
  provide('sessionsRedisUrl', backing.sessionsRedisUrl);
  provide('queueRedisUrl', backing.queueRedisUrl);
  return backing.stop;
};

export default (project: TestProject): Promise<() => Promise<void>> => provideServers(project);
