import { defineConfig } from 'vitest/config';

/** Everything but the journeys. Those that need a database share one server, started once for the run. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'services',
          include: ['services/*/{src,test}/**/*.test.ts', 'bff/{src,test}/**/*.test.ts'],
          globalSetup: ['tests/setup/backing.ts'],
          testTimeout: 30_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'sandbox',
          root: 'deploy/sandbox',
          include: ['{src,test}/**/*.test.ts'],
          testTimeout: 20_000,
        },
      },
      { test: { name: 'checks', include: ['tests/checks/**/*.test.ts'], testTimeout: 60_000 } },
      'deploy/local',
      'web',
    ],
  },
});
