import { test as base } from '@playwright/test';
import { startSystem, type System } from '@shortlist/local/system';

/** One whole product for each worker: every process, real Kafka, MariaDB and Redis, on ports of its own. */
export const test = base.extend<object, { system: System }>({
  system: [
    async ({}, use) => {
      const system = await startSystem({ restart: true });
      await use(system);
      await system.stop();
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  baseURL: async ({ system }, use) => use(system.publicUrl),
});

export { expect } from '@playwright/test';
