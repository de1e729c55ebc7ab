import { defineConfig } from '@playwright/test';
import { LAUNCH } from '../harness/browser.ts';

const LONG = [
  'alerts.spec.ts',
  'screens.spec.ts',
  'faults.spec.ts',
  'drill.spec.ts',
  'deleted-users.spec.ts',
  'replace-secrets.spec.ts',
];

/** Where `make upgrade-test` keeps other releases, with tests of their own. */
const OTHERS = '**/.local/**';

/** Browser journeys against a complete system that the tests start. There are no retries: a flaky journey fails. */
export default defineConfig({
  testDir: '..',
  testMatch: ['tests/journeys/*.spec.ts', 'tools/*/*.spec.ts'],
  globalSetup: './setup/web-build.ts',
  outputDir: '../test-results',
  timeout: 120_000,
  expect: { timeout: 20_000 },
  retries: 0,
  // Each has a product of its own: with three on two processors a journey takes four times as long, and all together take longer.
  workers: 2,
  forbidOnly: true,
  // What takes minutes begins first, so that nothing waits for it in the end.
  projects: [
    { name: 'long', testMatch: LONG, testIgnore: OTHERS },
    { name: 'journeys', testIgnore: [...LONG, OTHERS] },
  ],
  use: {
    browserName: 'chromium',
    headless: true,
    // The film of a page costs more than the page.
    trace: { mode: 'retain-on-failure', screenshots: false },
    launchOptions: LAUNCH,
  },
});
