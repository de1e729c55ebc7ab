import { test as base } from '@playwright/test';
import { startSystem, type System } from '@shortlist/local/system';
import { createHistory } from '../../tools/faults/history.ts';
import { SETTLE_LIMIT_MS, waitForOrder } from '../../tools/faults/verdict.ts';

/** One whole product for each worker: every process, real Kafka, MariaDB and Redis, on ports of its own. */
export const test = base.extend<object, { system: System }>({
  system: [
    async ({}, use) => {
      const system = await startSystem({ restart: true });
      await use(system);
      // Whatever the journeys did to it, the product must be in order by itself now.
      const { breaches } = await waitForOrder(system, createHistory(), SETTLE_LIMIT_MS);
      await system.stop();
      if (breaches.length > 0)
        throw new Error(breaches.map(({ invariant, what }) => `${invariant} ${what}`).join('\n'));
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  baseURL: async ({ system }, use) => use(system.publicUrl),
});

export { expect } from '@playwright/test';
