import { defineConfig } from 'vitest/config';

/** After which a test is given up: far more than a quiet machine needs, since it ends what hangs and says nothing of speed. */
const HANGS_MS = 120_000;

/** Everything but the journeys. Those that need a database share one server, started once for the run. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'services',
          include: ['services/*/{src,test}/**/*.test.ts', 'bff/{src,test}/**/*.test.ts', 'tools/*/*.test.ts'],
          globalSetup: ['tests/setup/backing.ts'],
          testTimeout: HANGS_MS,
          hookTimeout: HANGS_MS,
        },
      },
      {
        test: {
          name: 'sandbox',
          root: 'deploy/sandbox',
          include: ['{src,test}/**/*.test.ts'],
          testTimeout: HANGS_MS,
        },
      },
      { test: { name: 'checks', include: ['tests/checks/**/*.test.ts'], testTimeout: HANGS_MS } },
      'deploy/local',
      'web',
    ],
  },
});
