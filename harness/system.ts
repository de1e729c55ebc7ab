import { test as base } from '@playwright/test';
import { startSystem, type System, WITHOUT_LIMITS } from '@shortlist/local/system';
import { createHistory } from './history.ts';
import { SETTLE_LIMIT_MS, waitUntilSettled } from './settled.ts';

type WorkerFixtures = {
  system: System;
  /** A file that sets another value has a worker, and therefore a system, of its own. */
  systemOf: string;
  /** Variables of bff beside those of every journey; another value has a system of its own, too. */
  bffSettings: Record<string, string>;
  /** The same of billing. */
  billingSettings: Record<string, string>;
};

/** One complete system for each test worker: every process, with real Kafka, MariaDB and Redis, on separate ports. */
export const test = base.extend<object, WorkerFixtures>({
  systemOf: ['all', { scope: 'worker', option: true }],
  bffSettings: [{}, { scope: 'worker', option: true }],
  billingSettings: [{}, { scope: 'worker', option: true }],
  system: [
    async ({ systemOf: _, bffSettings, billingSettings }, use) => {
      const system = await startSystem({
        restart: true,
        inMemory: true,
        env: { bff: { ...WITHOUT_LIMITS, ...bffSettings }, billing: billingSettings },
      });
      await use(system);
      // After the journeys every invariant must hold again without intervention.
      const { breaches } = await waitUntilSettled(system, createHistory(), SETTLE_LIMIT_MS);
      await system.stop();
      if (breaches.length > 0)
        throw new Error(breaches.map(({ invariant, detail }) => `${invariant} ${detail}`).join('\n'));
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  baseURL: async ({ system }, use) => use(system.publicUrl),
});

export { expect } from '@playwright/test';
