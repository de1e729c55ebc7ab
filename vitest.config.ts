import { availableParallelism } from 'node:os';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { minutes } from '@shortlist/contracts/durations';
import { MYSQL_TESTS } from './tests/suite/steps.ts';

/** After which a test is given up: far more than a quiet machine needs, since it ends what hangs and says nothing of speed. */
const HANGS_MS = minutes(2);

/**
 * Node loads the sources itself, as in production, and files that run in one worker share what it has loaded: a test
 * file leaves no timer, variable of the environment or replaced global behind.
 */
const onServer = (
  name: string,
  { include, setup, ...more }: { include: string[]; setup?: string; root?: string; exclude?: string[] },
): TestProjectInlineConfiguration => ({
  test: {
    name,
    include,
    ...more,
    ...(setup === undefined ? {} : { globalSetup: [setup] }),
    isolate: false,
    experimental: { viteModuleRunner: false, nodeLoader: false },
    testTimeout: HANGS_MS,
    hookTimeout: HANGS_MS,
  },
});

/** Everything but the journeys. The tests of a project share one database server and two Redis servers, started once for the run. */
export default defineConfig({
  test: {
    // One more than the processors, because tests also wait for the database.
    maxWorkers: availableParallelism() + 1,
    projects: [
      onServer('services', {
        include: [
          '{packages,services}/*/{src,test}/**/*.test.ts',
          'bff/{src,test}/**/*.test.ts',
          'tools/*/*.test.ts',
          'tests/races/*.test.ts',
        ],
        setup: 'tests/setup/backing.ts',
      }),
      // tests/run.ts starts the server, where the machine allows.
      ...(process.env['MYSQL_URL']
        ? [onServer('mysql', { ...MYSQL_TESTS, setup: 'tests/setup/mysql.ts' })]
        : []),
      onServer('sandbox', { include: ['{src,test}/**/*.test.ts'], root: 'deploy/sandbox' }),
      onServer('clients', { include: ['clients/*/test/**/*.test.ts', 'clients/*/src/**/*.test.ts'] }),
      onServer('checks', { include: ['tests/checks/**/*.test.ts'] }),
      'deploy/local',
      'web',
    ],
  },
});
