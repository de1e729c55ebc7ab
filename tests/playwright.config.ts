import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';

/** The browser without a window of its own first: it needs half of the processor time. */
const BROWSERS = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].map(
  (name) => `/usr/bin/${name}`,
);
const executablePath = process.env.CHROMIUM ?? BROWSERS.find((path) => existsSync(path));

/** The Chromium of the machine, started without background requests to other hosts. */
export const LAUNCH = {
  ...(executablePath === undefined ? {} : { executablePath }),
  args: [
    '--no-sandbox',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
  ],
};

/** Browser journeys against a complete system that the tests start. There are no retries: a flaky journey fails. */
export default defineConfig({
  testDir: 'journeys',
  globalSetup: './setup/web-build.ts',
  outputDir: '../test-results',
  timeout: 120_000,
  expect: { timeout: 20_000 },
  retries: 0,
  // One more than two processors, because journeys also wait.
  workers: 3,
  forbidOnly: true,
  // Alerts take minutes of waiting: they begin first, so that nothing waits for them in the end.
  projects: [
    { name: 'alerts', testMatch: 'alerts.spec.ts' },
    { name: 'journeys', testIgnore: 'alerts.spec.ts' },
  ],
  use: {
    browserName: 'chromium',
    headless: true,
    // The film of a page costs more than the page.
    trace: { mode: 'retain-on-failure', screenshots: false },
    launchOptions: LAUNCH,
  },
});
